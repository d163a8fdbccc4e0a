"""Names of a draft's assets stay inside its folder."""

import pytest

from texmend import Draft, mend
from texmend.model.errors import UsageError


@pytest.mark.parametrize("name", ["", ".", "../x.tex", "/etc/x", ".env", "a/.b/c", "a\0b"])
def test_a_name_that_leads_out_or_is_none_is_refused(name):
    with pytest.raises(UsageError, match="asset"):
        mend(Draft("x", assets={name: b""}))
