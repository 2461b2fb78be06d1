namespace Postrider.Broker.Configuration;

/// <summary>The errors and warnings found while a file is turned into options.</summary>
internal sealed class ConfigDiagnostics
{
    private readonly List<(ConfigPosition Position, string Text)> _errors = [];
    private readonly List<(ConfigPosition Position, string Text)> _warnings = [];

    internal bool HasErrors => _errors.Count > 0;

    internal IReadOnlyList<string> Errors => Lines(_errors);

    internal IReadOnlyList<string> Warnings => Lines(_warnings);

    internal void Error(ConfigPosition position, string text) => _errors.Add((position, text));

    internal void Warn(ConfigPosition position, string field, string text) =>
        _warnings.Add((position, $"invalid use of field \"{field}\": {text}"));

    private static List<string> Lines(List<(ConfigPosition Position, string Text)> findings) =>
        [.. findings.Select(finding => $"{finding.Position}: {finding.Text}")];
}
