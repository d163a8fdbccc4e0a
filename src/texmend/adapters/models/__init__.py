"""Language models: services by name, asked over HTTP, or written answers."""
