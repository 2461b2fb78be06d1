using System.Text;
using Microsoft.Extensions.Logging;

namespace Postrider.Broker.Sessions;

/// <summary>Logs the frames of a client, as nats-server's trace does. Slow; off by default.</summary>
internal sealed partial class ProtocolTrace(ILogger logger, int maxMessageLength)
{
    private static readonly string[] Secrets = ["\"pass\"", "\"auth_token\"", "\"nkey\"", "\"sig\""];

    /// <summary>Logs a received operation's line.</summary>
    public void In(string session, ReadOnlySpan<byte> line) => LogIn(logger, session, Text(line));

    /// <summary>Logs a sent operation's line.</summary>
    public void Out(string session, ReadOnlySpan<byte> line) => LogOut(logger, session, Text(line));

    /// <summary>Logs a received payload.</summary>
    public void Payload(string session, ReadOnlySpan<byte> payload)
    {
        var cut = maxMessageLength > 0 && payload.Length > maxMessageLength;
        var text = Encoding.UTF8.GetString(cut ? payload[..maxMessageLength] : payload);
        LogPayload(logger, session, cut ? text + "..." : text);
    }

    // Passwords, tokens and signatures are never logged, however their JSON is written.
    private static string Text(ReadOnlySpan<byte> line)
    {
        var text = Encoding.UTF8.GetString(line.TrimEnd("\r\n"u8));
        foreach (var key in Secrets)
        {
            for (var at = 0; (at = text.IndexOf(key, at, StringComparison.OrdinalIgnoreCase)) >= 0;)
            {
                at += key.Length;
                if (FindValue(text, at) is not { } start) continue;
                var end = EndOfString(text, start);
                text = string.Concat(text.AsSpan(0, start), "[REDACTED]", text.AsSpan(end));
                at = start;
            }
        }
        return text;
    }

    // Where the text of a key's value begins; null for what is no text.
    private static int? FindValue(string text, int at)
    {
        while (at < text.Length && (char.IsWhiteSpace(text[at]) || text[at] == ':')) at++;
        return at < text.Length && text[at] == '"' ? at + 1 : null;
    }

    private static int EndOfString(string text, int at)
    {
        while (at < text.Length && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
        return Math.Min(at, text.Length);
    }

    [LoggerMessage(EventId = 151, Level = LogLevel.Trace, Message = "{Session} - <<- [{Line}]")]
    private static partial void LogIn(ILogger logger, string session, string line);

    [LoggerMessage(EventId = 152, Level = LogLevel.Trace, Message = "{Session} - ->> [{Line}]")]
    private static partial void LogOut(ILogger logger, string session, string line);

    [LoggerMessage(EventId = 153, Level = LogLevel.Trace, Message = "{Session} - <<- MSG_PAYLOAD: [\"{Payload}\"]")]
    private static partial void LogPayload(ILogger logger, string session, string payload);
}
