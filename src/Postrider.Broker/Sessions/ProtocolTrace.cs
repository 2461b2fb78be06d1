using System.Text;
using System.Text.RegularExpressions;
using Microsoft.Extensions.Logging;

namespace Postrider.Broker.Sessions;

/// <summary>Logs the frames of a client, as nats-server's trace does. Slow; off by default.</summary>
internal sealed partial class ProtocolTrace(ILogger logger, int maxMessageLength)
{
    private const string Hidden = "[REDACTED]";

    // Members of CONNECT; as in nats-server also those whose names begin like the first two.
    private static readonly string[] SecretPrefixes = ["pass", "auth_token"];
    private static readonly string[] Secrets = ["jwt", "nkey", "sig", "proxy_sig"];

    /// <summary>Logs a received operation's line.</summary>
    public void In(string session, ReadOnlySpan<byte> line) => LogIn(logger, session, Text(line));

    /// <summary>Logs a sent operation's line.</summary>
    public void Out(string session, ReadOnlySpan<byte> line) => LogOut(logger, session, Text(line));

    /// <summary>Logs a received message.</summary>
    /// <param name="session">The session.</param>
    /// <param name="frame">The whole frame: its line, headers and payload, and the last CR LF.</param>
    public void InMessage(string session, ReadOnlySpan<byte> frame)
    {
        var line = frame.IndexOf((byte)'\n') + 1;
        In(session, frame[..line]);
        Payload(session, frame[line..^2]);
    }

    private void Payload(string session, ReadOnlySpan<byte> payload)
    {
        var cut = maxMessageLength > 0 && payload.Length > maxMessageLength;
        var text = Encoding.UTF8.GetString(cut ? payload[..maxMessageLength] : payload);
        LogPayload(logger, session, cut ? text + "..." : text);
    }

    // Passwords, tokens and signatures are never logged, however they are written, even in text that is not valid JSON.
    private static string Text(ReadOnlySpan<byte> line)
    {
        var text = Encoding.UTF8.GetString(line.TrimEnd("\r\n"u8));
        var at = text.StartsWith("CONNECT", StringComparison.OrdinalIgnoreCase) ? 0 : text.IndexOf('{', StringComparison.Ordinal);
        if (at < 0) return text;
        var shown = new StringBuilder(text.Length);
        var copied = 0;
        // Secrets are found by the sign behind their names: unbalanced quotes must not hide the names.
        while ((at = text.AsSpan(at).IndexOfAny(':', '=') is var distance and >= 0 ? at + distance : -1) >= 0)
        {
            var (start, end) = IsSecret(NameBefore(text, at)) ? FindValue(text, at + 1) : (at + 1, at + 1);
            if (end > start)
            {
                shown.Append(text, copied, start - copied).Append(Hidden);
                copied = end;
            }
            at = end;
        }
        return copied == 0 ? text : shown.Append(text, copied, text.Length - copied).ToString();
    }

    private static bool IsSecret(string name)
        => Secrets.Contains(name, StringComparer.OrdinalIgnoreCase) || Array.Exists(SecretPrefixes, prefix => name.StartsWith(prefix, StringComparison.OrdinalIgnoreCase));

    // The name in front of a colon, with or without quotes, without escapes.
    private static string NameBefore(string text, int at)
    {
        var end = at;
        while (end > 0 && (char.IsWhiteSpace(text[end - 1]) || text[end - 1] is '"' or '\'')) end--;
        var start = end;
        while (start > 0 && (char.IsAsciiLetterOrDigit(text[start - 1]) || text[start - 1] is '_' or '\\')) start--;
        return Escape().Replace(text[start..end], static escape => escape.ValueSpan is ['\\', 'u', .. { Length: 4 } code] ? ((char)Convert.ToInt32(code.ToString(), 16)).ToString() : "");
    }

    // Where the value of a secret begins and ends, without its quotes. A list or an object ends with the line.
    private static (int Start, int End) FindValue(string text, int at)
    {
        while (at < text.Length && char.IsWhiteSpace(text[at])) at++;
        if (at == text.Length) return (at, at);
        switch (text[at])
        {
            case '"':
                return (at + 1, EndOfString(text, at + 1));
            case '\\' when at + 1 < text.Length && text[at + 1] == '"':
                var end = text.IndexOf("\\\"", at + 2, StringComparison.Ordinal);
                return (at + 2, end < 0 ? text.Length : end);
            case '[' or '{':
                return (at, text.Length);
            default:
                var length = text.AsSpan(at).IndexOfAny("\",}");
                return (at, length < 0 ? text.Length : at + length);
        }
    }

    private static int EndOfString(string text, int at)
    {
        while (at < text.Length && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
        return Math.Min(at, text.Length);
    }

    [GeneratedRegex(@"\\(?:u[0-9A-Fa-f]{4})?", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Escape();

    [LoggerMessage(EventId = 151, Level = LogLevel.Trace, Message = "{Session} - <<- [{Line}]")]
    private static partial void LogIn(ILogger logger, string session, string line);

    [LoggerMessage(EventId = 152, Level = LogLevel.Trace, Message = "{Session} - ->> [{Line}]")]
    private static partial void LogOut(ILogger logger, string session, string line);

    [LoggerMessage(EventId = 153, Level = LogLevel.Trace, Message = "{Session} - <<- MSG_PAYLOAD: [\"{Payload}\"]")]
    private static partial void LogPayload(ILogger logger, string session, string payload);
}
