namespace Postrider.Broker.Configuration;

/// <summary>Reads <c>exports</c> and <c>imports</c> of an account.</summary>
/// <remarks>Whether they match can only be checked when all accounts have been read: see <see cref="Accounts.SharingValidator"/>.</remarks>
internal sealed class SharingBinder(ConfigReader reader)
{
    private const string OnlyStreams = "Detected allow_trace directive on a non-stream";

    /// <summary>Reads the exports of one account.</summary>
    internal List<ExportOptions> ReadExports(ConfigValue block)
    {
        var exports = new List<ExportOptions>();
        if (block.Content is not List<ConfigValue> items)
        {
            Error(block, $"Exports should be an array, got {block.KindName}");
            return exports;
        }
        foreach (var item in items)
        {
            if (item.Content is not ConfigMap members) Error(item, $"Export Items should be a map with type entry, got {item.KindName}");
            else if (new ExportReader(reader).Read(members) is { } export) exports.Add(export);
        }
        return exports;
    }

    /// <summary>Reads the imports of one account.</summary>
    internal List<ImportOptions> ReadImports(ConfigValue block)
    {
        var imports = new List<ImportOptions>();
        if (block.Content is not List<ConfigValue> items)
        {
            Error(block, $"Imports should be an array, got {block.KindName}");
            return imports;
        }
        foreach (var item in items)
        {
            if (item.Content is not ConfigMap members)
            {
                Error(item, $"Import Items should be a map with type entry, got {item.KindName}");
                continue;
            }
            if (ReadImport(members) is not { } import) continue;
            if (import.Type == ExportType.Service && imports.Find(other => IsSame(other, import)) is { } known)
            {
                Error(item, $"Duplicate service import subject {GoQuote.Quote(import.To ?? import.Subject)}, previously used in import for account {GoQuote.Quote(known.Account)}, subject {GoQuote.Quote(known.Subject)}");
                continue;
            }
            imports.Add(import);
        }
        return imports;
    }

    private static bool IsSame(ImportOptions one, ImportOptions other)
        => one.Type == ExportType.Service && one.Account == other.Account && (one.To ?? one.Subject) == (other.To ?? other.Subject);

    private ImportOptions? ReadImport(ConfigMap members)
    {
        ImportOptions? import = null;
        string? prefix = null;
        string? to = null;
        var (share, allowTrace) = (false, false);
        ConfigValue? trace = null;
        foreach (var (key, value) in members)
        {
            switch (key.ToLowerInvariant())
            {
                case "stream" when import is { Type: ExportType.Service }:
                    Error(value, "Detected stream but already saw a service");
                    break;
                case "stream":
                    import = ReadSource(ExportType.Stream, value) ?? import;
                    break;
                case "service" when import is { Type: ExportType.Stream }:
                    Error(value, "Detected service but already saw a stream");
                    break;
                case "service" when trace is not null:
                    Error(trace, OnlyStreams);
                    break;
                case "service":
                    import = ReadSource(ExportType.Service, value) ?? import;
                    break;
                case "prefix":
                    reader.Text(key, value, text => prefix = text);
                    break;
                case "to":
                    reader.Text(key, value, text => to = text);
                    if (import is { Type: ExportType.Stream } && !string.IsNullOrEmpty(prefix)) Error(value, "Stream import can not have a 'prefix' and a 'to' property");
                    break;
                case "share":
                    reader.Boolean(key, value, on => share = on);
                    break;
                case "allow_trace" when import is { Type: ExportType.Service }:
                    Error(value, OnlyStreams);
                    break;
                case "allow_trace":
                    trace = value;
                    reader.Boolean(key, value, on => allowTrace = on);
                    break;
                default:
                    reader.Unknown(key, value);
                    break;
            }
        }
        if (import is null) return null;
        var isStream = import.Type == ExportType.Stream;
        return import with
        {
            // As in nats-server, a prefix takes precedence over a subject before it; a service has no prefix.
            Prefix = isStream && !string.IsNullOrEmpty(prefix) ? prefix : null,
            To = string.IsNullOrEmpty(to) || (isStream && !string.IsNullOrEmpty(prefix)) ? null : to,
            Share = !isStream && share,
            AllowTrace = isStream && allowTrace,
        };
    }

    private ImportOptions? ReadSource(ExportType type, ConfigValue value)
    {
        if (value.Content is not ConfigMap members)
        {
            Error(value, $"{(type == ExportType.Stream ? "Stream" : "Service")} entry should be an account map, got {value.KindName}");
            return null;
        }
        var (account, subject) = ("", "");
        foreach (var (key, member) in members)
        {
            switch (key.ToLowerInvariant())
            {
                case "account":
                    reader.Text(key, member, text => account = text);
                    break;
                case "subject":
                    reader.Text(key, member, text => subject = text);
                    break;
                default:
                    reader.Unknown(key, member);
                    break;
            }
        }
        if (account.Length > 0 && subject.Length > 0) return new ImportOptions { Type = type, Account = account, Subject = subject };
        Error(value, "Expect an account name and a subject");
        return null;
    }

    private void Error(ConfigValue value, string text) => reader.Findings.Error(value.Position, text);
}
