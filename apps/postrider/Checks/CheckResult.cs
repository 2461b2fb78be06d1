using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;

namespace Postrider.CommandLine.Checks;

/// <summary>The result of a check and its output; the formats and names are those of the <c>nats</c> tool.</summary>
/// <param name="check">The kind of check, such as <c>stream</c>.</param>
/// <param name="item">What was checked, such as <c>ORDERS</c>.</param>
internal sealed class CheckResult(string check, string item)
{
    private readonly List<string> _ok = [];
    private readonly List<string> _warnings = [];
    private readonly List<string> _criticals = [];
    private readonly List<string> _unknowns = [];
    private readonly List<CheckMetric> _metrics = [];

    internal CheckStatus Status => _criticals.Count > 0 ? CheckStatus.Critical : _unknowns.Count > 0 ? CheckStatus.Unknown : _warnings.Count > 0 ? CheckStatus.Warning : _ok.Count > 0 ? CheckStatus.Ok : CheckStatus.Unknown;

    internal void Ok(string text) => _ok.Add(text);

    internal void Warn(string text) => _warnings.Add(text);

    internal void Critical(string text) => _criticals.Add(text);

    /// <summary>Adds a reason why the check could not be made.</summary>
    internal void Unknown(string text) => _unknowns.Add(text);

    /// <summary>Adds a measured value.</summary>
    internal void Measure(string name, double value, string unit, string help, double? warn = null, double? critical = null)
        => _metrics.Add(new CheckMetric(name, value, unit, warn ?? 0, critical ?? 0, help));

    /// <summary>Compares a value with thresholds that it must not reach, and adds it.</summary>
    /// <param name="name">The metric's name.</param>
    /// <param name="value">The value.</param>
    /// <param name="unit">Its unit.</param>
    /// <param name="warn">The threshold of a warning; null for none.</param>
    /// <param name="critical">The threshold of a critical state; null for none.</param>
    /// <param name="text">The value for people.</param>
    /// <param name="help">The description.</param>
    internal void AtMost(string name, double value, string unit, double? warn, double? critical, string text, string help)
    {
        Measure(name, value, unit, help, warn, critical);
        Judge(value >= critical, value >= warn, warn is not null || critical is not null, text);
    }

    /// <summary>Compares a value with thresholds below which it must not fall, and adds it.</summary>
    internal void AtLeast(string name, double value, string unit, double? warn, double? critical, string text, string help)
    {
        Measure(name, value, unit, help, warn, critical);
        Judge(value < critical, value < warn, warn is not null || critical is not null, text);
    }

    /// <summary>The result in a form.</summary>
    internal string Write(CheckFormat format) => format switch
    {
        CheckFormat.Text => WriteText(),
        CheckFormat.Prometheus => WritePrometheus(),
        CheckFormat.Json => WriteJson(),
        _ => WriteNagios(),
    };

    /// <summary>The exit code; that of metrics is always success, so that they are always collected.</summary>
    internal int ExitCode(CheckFormat format) => format == CheckFormat.Prometheus ? 0 : (int)Status;

    private void Judge(bool isCritical, bool isWarning, bool isAsked, string text)
    {
        if (isCritical) Critical(text);
        else if (isWarning) Warn(text);
        else if (isAsked) Ok(text);
    }

    private string WriteNagios()
    {
        var text = new StringBuilder($"{item} {Word(Status)}");
        (string Name, List<string> Texts)[] parts = [("Crit", _criticals), ("Unknown", _unknowns), ("Warn", _warnings), ("OK", Status == CheckStatus.Ok ? _ok : [])];
        foreach (var (name, texts) in parts.Where(static part => part.Texts.Count > 0))
            text.Append(CultureInfo.InvariantCulture, $"{(name == "OK" ? ":" : $" {name}:")}{string.Join(", ", texts)}");
        return _metrics.Count == 0 ? text.ToString() : $"{text} | {string.Join(' ', _metrics.Select(Data))}";
    }

    private static string Data(CheckMetric metric)
    {
        var data = $"{metric.Name}={Number(metric.Value)}{metric.Unit}";
        return metric.Warn == 0 && metric.Critical == 0 ? data : $"{data};{Number(metric.Warn)};{Number(metric.Critical)}";
    }

    private string WriteText()
    {
        var text = new StringBuilder($"{item}: {Word(Status)}\n\n");
        var found = new TextTable("Status", "Message").Mark("Status", static text => text == Word(CheckStatus.Ok) ? CellState.Good : text == Word(CheckStatus.Warning) ? CellState.Warning : CellState.Bad);
        foreach (var (status, texts) in (ReadOnlySpan<(CheckStatus, List<string>)>)[(CheckStatus.Ok, _ok), (CheckStatus.Warning, _warnings), (CheckStatus.Critical, _criticals), (CheckStatus.Unknown, _unknowns)])
            foreach (var one in texts) found.Add(Word(status), one);
        text.Append(found);
        if (_metrics.Count == 0) return text.ToString();
        var table = new TextTable("Metric", " Value", "Unit", " Warning", " Critical", "Description");
        foreach (var metric in _metrics)
            table.Add(metric.Name, Number(metric.Value), metric.Unit, metric.Warn == 0 ? "" : Number(metric.Warn), metric.Critical == 0 ? "" : Number(metric.Critical), metric.Help);
        return text.Append("\n\n").Append(table).ToString();
    }

    private string WritePrometheus()
    {
        var text = new StringBuilder();
        var label = item.Replace('"', '.').Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\n", "\\n", StringComparison.Ordinal);
        foreach (var metric in _metrics.OrderBy(static metric => metric.Name, StringComparer.Ordinal))
            Append(metric.Name, metric.Help, $"item=\"{label}\"", metric.Value);
        Append("status_code", $"Nagios compatible status code for {check}", $"item=\"{label}\",status=\"{Word(Status)}\"", (int)Status);
        return text.ToString().TrimEnd('\n');

        void Append(string name, string help, string labels, double value) => text.Append(
            CultureInfo.InvariantCulture, $"# HELP nats_server_check_{check}_{name} {help}\n# TYPE nats_server_check_{check}_{name} gauge\nnats_server_check_{check}_{name}{{{labels}}} {Number(value)}\n");
    }

    private string WriteJson() => JsonText.Object(
    [
        ("status", Word(Status)), ("check_suite", check), ("check_name", item),
        .. Texts("warning", _warnings), .. Texts("critical", _criticals), .. Texts("unknown", _unknowns), .. Texts("ok", _ok),
        ("perf_data", new JsonArray([.. _metrics.Select(static metric => (JsonNode)new JsonObject
        {
            ["name"] = metric.Name, ["value"] = metric.Value, ["warning"] = metric.Warn, ["critical"] = metric.Critical, ["unit"] = metric.Unit, ["help"] = metric.Help,
        })])),
    ]);

    private static (string, object?)[] Texts(string name, List<string> texts) => texts.Count == 0 ? [] : [(name, texts)];

    private static string Word(CheckStatus status) => status.ToString().ToUpperInvariant();

    private static string Number(double value) => value.ToString("0.####", CultureInfo.InvariantCulture);
}
