"""Outside packages by what they are for: a second one for the same purpose is a question worth asking."""

from __future__ import annotations

PURPOSES: dict[str, tuple[str, ...]] = {
    "an HTTP client": (
        "requests", "httpx", "aiohttp", "urllib3", "urllib.request", "http.client", "pycurl", "axios", "node-fetch", "got",
        "superagent", "ky", "undici", "request", "needle", "net/http", "github.com/go-resty/resty", "github.com/valyala/fasthttp",
        "okhttp3", "java.net.http", "org.apache.http", "org.apache.hc", "retrofit2", "reqwest", "ureq", "hyper", "surf", "isahc",
        "RestSharp", "Flurl.Http", "System.Net.Http", "faraday", "httparty", "rest-client", "guzzlehttp",
    ),
    "a date library": (
        "arrow", "pendulum", "dateutil", "delorean", "moment", "dayjs", "date-fns", "luxon", "org.joda.time", "chrono", "time", "NodaTime", "carbon",
    ),
    "a JSON library": (
        "json", "orjson", "ujson", "simplejson", "rapidjson", "msgspec", "com.google.gson", "com.fasterxml.jackson", "org.json",
        "com.alibaba.fastjson", "com.squareup.moshi", "Newtonsoft.Json", "System.Text.Json", "encoding/json", "github.com/json-iterator/go",
        "github.com/bytedance/sonic", "serde_json", "simd_json", "nlohmann/json.hpp", "rapidjson/document.h",
    ),
    "a logging library": (
        "logging", "loguru", "structlog", "logbook", "winston", "pino", "bunyan", "log4js", "loglevel", "org.slf4j", "org.apache.log4j",
        "org.apache.logging", "java.util.logging", "log", "log/slog", "go.uber.org/zap", "github.com/sirupsen/logrus", "github.com/rs/zerolog",
        "tracing", "slog", "Serilog", "NLog", "Microsoft.Extensions.Logging", "spdlog/spdlog.h", "glog/logging.h",
    ),
    "a validation library": (
        "pydantic", "marshmallow", "cerberus", "voluptuous", "attrs", "jsonschema", "zod", "yup", "joi", "ajv", "superstruct", "valibot",
        "class-validator", "io-ts", "FluentValidation", "jakarta.validation", "javax.validation", "github.com/go-playground/validator",
    ),
    "a command line parser": (
        "argparse", "click", "typer", "docopt", "fire", "optparse", "commander", "yargs", "minimist", "meow", "cac", "clap", "structopt",
        "argh", "pico_args", "flag", "github.com/spf13/cobra", "github.com/urfave/cli", "picocli", "org.apache.commons.cli", "CommandLine",
    ),
    "a utility belt": ("lodash", "underscore", "ramda", "remeda", "radash", "com.google.common", "org.apache.commons.lang3", "toolz", "more_itertools", "boltons"),
    "a test framework": (
        "pytest", "unittest", "nose", "jest", "vitest", "mocha", "ava", "tap", "jasmine", "org.junit", "org.testng", "NUnit", "Xunit",
        "github.com/stretchr/testify", "github.com/onsi/ginkgo", "rspec", "minitest",
    ),
    "a state or promise helper": ("bluebird", "q", "async", "p-limit", "p-map"),
    "a YAML library": ("yaml", "ruamel", "js-yaml", "gopkg.in/yaml", "sigs.k8s.io/yaml", "serde_yaml", "org.yaml.snakeyaml", "YamlDotNet", "yaml-cpp/yaml.h"),
    "an error helper": ("github.com/pkg/errors", "golang.org/x/xerrors", "anyhow", "eyre", "color_eyre", "failure", "thiserror", "snafu"),
    "a template engine": ("jinja2", "mako", "chevron", "handlebars", "mustache", "ejs", "pug", "nunjucks", "tera", "askama", "liquid", "erb", "haml"),
}  # fmt: skip

_BY_PACKAGE = {package: purpose for purpose, packages in PURPOSES.items() for package in packages}


def purpose_of(package: str) -> tuple[str, str] | None:
    """(purpose, name in the table) of an imported package or of one that holds it; None where it is not known."""
    name = package
    while name:
        if name in _BY_PACKAGE:
            return _BY_PACKAGE[name], name
        cut = max(name.rfind("."), name.rfind("/"), name.rfind("::"))
        name = name[:cut].rstrip(":") if cut > 0 else ""
    return None
