using System.Globalization;

namespace Postrider.Broker.Configuration;

/// <summary>Reads one export of an account.</summary>
/// <remarks>Keys that only apply to services may come before the key that says what is exported: they are checked in the order of the file, as
/// in nats-server.</remarks>
internal sealed class ExportReader(ConfigReader reader)
{
    private const string OnlyServices = "Detected response directive on non-service";

    private ExportOptions? _export;
    private ConfigValue? _response;
    private ConfigValue? _threshold;
    private ConfigValue? _latency;
    private ConfigValue? _trace;
    private ServiceResponseType _responseType;
    private TimeSpan _responseThreshold;
    private ServiceLatencyOptions? _latencyOptions;
    private bool _allowTrace;
    private int _position;
    private IReadOnlyList<string> _accounts = [];

    private bool IsStream => _export is { Type: ExportType.Stream };

    /// <summary>Reads the export.</summary>
    /// <returns>Null when the file does not say what is exported, which nats-server accepts too, or when there is an error.</returns>
    internal ExportOptions? Read(ConfigMap members)
    {
        foreach (var (key, value) in members) ReadMember(key, value);
        if (_export is not { } export) return null;
        export = export with { Accounts = _accounts, AccountTokenPosition = _position };
        if (export.Type == ExportType.Stream) return export;
        return export with
        {
            ResponseType = _responseType,
            // Zero means the default.
            ResponseThreshold = _responseThreshold == TimeSpan.Zero ? ExportOptions.DefaultResponseThreshold : _responseThreshold,
            Latency = _latencyOptions,
            AllowTrace = _allowTrace,
        };
    }

    private void ReadMember(string key, ConfigValue value)
    {
        switch (key.ToLowerInvariant())
        {
            case "stream":
                ReadStream(value);
                break;
            case "service" when IsStream:
                Error(value, $"Detected service {Quoted(value)} but already saw a stream");
                break;
            case "service" when value.Content is string subject:
                _export = new ExportOptions { Type = ExportType.Service, Subject = subject };
                break;
            case "service":
                Error(value, $"Expected service name to be string, got {value.KindName}");
                break;
            case "response" or "response_type":
                ReadResponseType(value);
                break;
            case "threshold" or "response_threshold" or "response_max_time" or "response_time":
                ReadThreshold(value);
                break;
            case "accounts" when value.Content is List<ConfigValue>:
                _accounts = reader.Texts(key, value) ?? [];
                break;
            case "accounts":
                reader.WrongKind(key, value, "an array of names");
                break;
            case "latency":
                ReadLatency(value);
                break;
            case "account_token_position":
                reader.Integer(key, value, 0, byte.MaxValue, position => _position = (int)position);
                break;
            case "allow_trace":
                _trace = value;
                reader.Boolean(key, value, on => _allowTrace = on);
                if (IsStream) Error(value, "Detected allow_trace directive on non-service");
                break;
            default:
                reader.Unknown(key, value);
                break;
        }
    }

    private void ReadStream(ConfigValue value)
    {
        if (_export is { Type: ExportType.Service }) Error(value, $"Detected stream {Quoted(value)} but already saw a service");
        else if (_response is not null) Error(_response, OnlyServices);
        else if (_latency is not null) Error(_latency, "Detected latency directive on non-service");
        else if (_trace is not null) Error(_trace, "Detected allow_trace directive on non-service");
        else if (value.Content is string subject) _export = new ExportOptions { Type = ExportType.Stream, Subject = subject };
        else Error(value, $"Expected stream name to be string, got {value.KindName}");
    }

    private void ReadResponseType(ConfigValue value)
    {
        if (_response is not null)
        {
            Error(value, "Duplicate response type definition");
            return;
        }
        _response = value;
        if (value.Content is not string text)
        {
            Error(value, $"Expected response type to be string, got {value.KindName}");
            return;
        }
        switch (text.ToLowerInvariant())
        {
            case "single" or "singleton":
                _responseType = ServiceResponseType.Singleton;
                break;
            case "stream":
                _responseType = ServiceResponseType.Stream;
                break;
            case "chunk" or "chunked":
                _responseType = ServiceResponseType.Chunked;
                break;
            default:
                Error(value, $"Unknown response type: {GoQuote.Quote(text)}");
                return;
        }
        if (IsStream) Error(value, OnlyServices);
    }

    private void ReadThreshold(ConfigValue value)
    {
        const string Expected = "Expected response threshold to be a parseable time duration, got";
        if (_threshold is not null)
        {
            Error(value, "Duplicate response threshold detected");
            return;
        }
        _threshold = value;
        if (value.Content is not string text) Error(value, $"{Expected} {value.KindName}");
        else if (!GoDuration.TryParse(text, out _responseThreshold, out _)) Error(value, $"{Expected} {GoQuote.Quote(text)}");
        else if (IsStream) Error(value, OnlyServices);
    }

    private void ReadLatency(ConfigValue value)
    {
        _latency = value;
        var problems = new List<(ConfigValue Where, string Text)>();
        _latencyOptions = ReadLatencyOptions(value, problems);
        foreach (var (where, text) in problems) Error(where, text);
        if (_latencyOptions is not null && IsStream) Error(value, "Detected latency directive on non-service");
    }

    private static ServiceLatencyOptions? ReadLatencyOptions(ConfigValue value, List<(ConfigValue Where, string Text)> problems)
    {
        if (value.Content is string name) return new ServiceLatencyOptions(name);
        if (value.Content is not ConfigMap members)
        {
            problems.Add((value, $"Expected latency entry to be a map/struct or string, got {value.KindName}"));
            return null;
        }
        var percent = 100;
        if (members.TryGetValue("sampling", out var sampling))
        {
            if (ReadSampling(sampling, out var problem) is not { } read)
            {
                problems.Add((sampling, problem));
                return null;
            }
            percent = read;
        }
        if (!members.TryGetValue("subject", out var subject)) problems.Add((value, "Latency subject required, but missing"));
        else if (subject.Content is string text) return new ServiceLatencyOptions(text, percent);
        else problems.Add((subject, $"Expected latency subject to be a string, got {subject.KindName}"));
        return null;
    }

    // A percentage, or zero when headers of the request decide.
    private static int? ReadSampling(ConfigValue value, out string problem)
    {
        problem = "bad sampling percentage, should be 1-100";
        switch (value.Content)
        {
            case long number:
                return number is >= 1 and <= 100 ? (int)number : null;
            case string text when text.Trim().Equals("headers", StringComparison.OrdinalIgnoreCase):
                return 0;
            case string text:
                var digits = text.EndsWith('%') ? text[..^1] : text;
                if (int.TryParse(digits, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var percent)) return percent is >= 1 and <= 100 ? percent : null;
                problem = $"Failed to parse latency sample: strconv.Atoi: parsing {GoQuote.Quote(digits)}: invalid syntax";
                return null;
            default:
                problem = $"Expected latency sample to be a string or map/struct, got {value.KindName}";
                return null;
        }
    }

    private static string Quoted(ConfigValue value) => value.Content is string text ? GoQuote.Quote(text) : value.KindName;

    private void Error(ConfigValue value, string text) => reader.Findings.Error(value.Position, text);
}
