"""Nothing serious keeps people from using the report."""

import pytest
from playwright.sync_api import Browser

from tests.servers.browser import Visit
from tests.service.report.on_screen import draw_all
from tools.axe import SERIOUS, WINDOWS, on_page


@pytest.mark.full
@pytest.mark.parametrize("window", WINDOWS)
def test_everything_of_it(chromium: Browser, address: str, axe: str, window: str) -> None:
    with Visit(
        chromium, address, reduced_motion="reduce", bypass_csp=True, **WINDOWS[window]
    ) as it:
        draw_all(it.page)
        assert [one for one in on_page(it.page, axe) if one.startswith(SERIOUS)] == []
