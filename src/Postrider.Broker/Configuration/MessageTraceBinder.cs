using System.Globalization;
using System.Text;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Configuration;

/// <summary>Reads <c>msg_trace</c> of an account.</summary>
/// <remarks>Texts are nats-server's. Source: nats-server, <c>msg_trace</c>.</remarks>
internal sealed class MessageTraceBinder(ConfigReader reader)
{
    /// <summary>Reads the value: a subject, or a block with <c>dest</c> and <c>sampling</c>.</summary>
    /// <returns>Null when there is no destination, or when there is an error.</returns>
    internal MessageTraceOptions? Read(string key, ConfigValue value)
    {
        switch (value.Content)
        {
            case string:
                return ReadDestination(key, value) is { } only ? new MessageTraceOptions(only) : null;
            case ConfigMap members:
                return ReadBlock(key, value, members);
            default:
                Error(value, $"Expected account message trace {GoQuote.Quote(key)} to be a string or a map/struct, got {value.KindName}");
                return null;
        }
    }

    private MessageTraceOptions? ReadBlock(string key, ConfigValue block, ConfigMap members)
    {
        string? destination = null;
        int? sampling = null;
        foreach (var (name, value) in members)
        {
            switch (name.ToLowerInvariant())
            {
                case "dest":
                    destination = ReadDestination(name, value);
                    break;
                case "sampling":
                    sampling = ReadSampling(name, value);
                    break;
                default:
                    if (!value.IsReferenced) Error(value, $"Unknown field {GoQuote.Quote(name)} parsing account message trace map/struct {GoQuote.Quote(key)}");
                    break;
            }
        }
        if (destination is not null) return new MessageTraceOptions(destination, sampling ?? 100);
        if (sampling is not null) reader.Findings.Warn(block.Position, "sampling", "Trace destination sampling ignored since no destination was set");
        return null;
    }

    private string? ReadDestination(string key, ConfigValue value)
    {
        if (value.Content is not string subject) Error(value, $"Field {GoQuote.Quote(key)} should be a string, got {value.KindName}");
        else if (!Subject.IsLiteral(Encoding.UTF8.GetBytes(subject))) Error(value, $"Trace destination {GoQuote.Quote(subject)} is not valid");
        else return subject;
        return null;
    }

    private int? ReadSampling(string key, ConfigValue value)
    {
        long percent;
        switch (value.Content)
        {
            case long number:
                percent = number;
                break;
            case string text when long.TryParse(text.EndsWith('%') ? text[..^1] : text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var parsed):
                percent = parsed;
                break;
            case string text:
                Error(value, $"Invalid trace destination sampling value {GoQuote.Quote(text)}");
                return null;
            default:
                Error(value, $"Trace destination sampling field {GoQuote.Quote(key)} should be an integer or a percentage, got {value.KindName}");
                return null;
        }
        if (percent is >= 1 and <= 100) return (int)percent;
        Error(value, $"Trace destination sampling value {percent} is invalid, needs to be [1..100]");
        return null;
    }

    private void Error(ConfigValue value, string text) => reader.Findings.Error(value.Position, text);
}
