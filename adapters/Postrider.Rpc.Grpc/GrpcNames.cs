using System.Globalization;
using System.Text;
using Postrider.Rpc.Http;

namespace Postrider.Rpc.Grpc;

/// <summary>Header names and content types of gRPC.</summary>
/// <remarks>Source: gRPC over HTTP/2 (PROTOCOL-HTTP2.md).</remarks>
internal static class GrpcNames
{
    public const string ContentType = "application/grpc";
    public const string WebContentType = "application/grpc-web";
    public const string WebTextContentType = "application/grpc-web-text";
    public const string Status = "grpc-status";
    public const string Message = "grpc-message";
    public const string Details = "grpc-status-details-bin";
    public const string Timeout = "grpc-timeout";
    public const string Encoding = GrpcCompression.UsedHeader;
    public const string AcceptEncoding = "grpc-accept-encoding";
    public const string Gzip = GrpcCompression.Gzip;
    public const string Identity = GrpcCompression.Identity;

    /// <summary>The compressions that are read.</summary>
    public const string Known = Identity + "," + Gzip;

    // A timeout's value has at most eight digits.
    private const long MaxTimeout = 99_999_999;

    /// <summary>The suffix of a codec after the plus sign: that of Protobuf is <c>proto</c>.</summary>
    public static string Suffix(RpcCodec codec)
    {
        var subtype = codec.ContentType[(codec.ContentType.IndexOf('/', StringComparison.Ordinal) + 1)..];
        return subtype is "protobuf" or "x-protobuf" ? "proto" : subtype;
    }

    /// <summary>The content type of a codec's messages; that of Protobuf needs no suffix.</summary>
    public static string ContentTypeFor(RpcCodec codec) => Suffix(codec) is var suffix && suffix == "proto" ? ContentType : $"{ContentType}+{suffix}";

    /// <summary>The path of an operation.</summary>
    public static string Service(string package, string service) => package.Length > 0 ? $"{package}.{service}" : service;

    /// <summary>Whether a header can be a header of a call.</summary>
    public static bool IsCalls(string name) => !name.StartsWith("grpc-", StringComparison.OrdinalIgnoreCase) && HttpNames.IsCalls(name);

    /// <summary>Whether a caller's header is one that the call itself writes.</summary>
    public static bool IsOwn(string name)
        => name.StartsWith("grpc-", StringComparison.OrdinalIgnoreCase)
        && (IsName(name, Timeout) || IsName(name, Encoding) || IsName(name, AcceptEncoding) || IsName(name, GrpcCompression.Header));

    public static string FormatTimeout(TimeSpan time)
    {
        var milliseconds = (long)Math.Ceiling(Math.Max(time.TotalMilliseconds, 0));
        return milliseconds <= MaxTimeout
            ? string.Create(CultureInfo.InvariantCulture, $"{milliseconds}m")
            : string.Create(CultureInfo.InvariantCulture, $"{Math.Min(milliseconds / 1000, MaxTimeout)}S");
    }

    /// <summary>Reads a timeout; false for text that is not one.</summary>
    public static bool TryParseTimeout(string text, out TimeSpan time)
    {
        time = default;
        if (text.Length is < 2 or > 9 || !long.TryParse(text.AsSpan(0, text.Length - 1), NumberStyles.None, CultureInfo.InvariantCulture, out var value))
            return false;
        long ticks = text[^1] switch
        {
            'H' => TimeSpan.TicksPerHour,
            'M' => TimeSpan.TicksPerMinute,
            'S' => TimeSpan.TicksPerSecond,
            'm' => TimeSpan.TicksPerMillisecond,
            'u' => TimeSpan.TicksPerMicrosecond,
            'n' => -TimeSpan.NanosecondsPerTick,
            _ => 0,
        };
        if (ticks == 0)
            return false;

        // Timers support at most about 49 days: a longer timeout is reduced to that.
        time = TimeSpan.FromTicks(ticks < 0 ? value / -ticks : value * ticks);
        if (time.TotalMilliseconds > int.MaxValue)
            time = TimeSpan.FromMilliseconds(int.MaxValue);
        return true;
    }

    /// <summary>Encodes a text for <c>grpc-message</c>: UTF-8, with everything except printable ASCII percent-encoded.</summary>
    public static string Encode(string text)
    {
        if (!text.AsSpan().ContainsAnyExceptInRange(' ', '~') && !text.Contains('%', StringComparison.Ordinal))
            return text;
        var encoded = new StringBuilder(text.Length + 16);
        foreach (var one in System.Text.Encoding.UTF8.GetBytes(text))
        {
            if (one is >= (byte)' ' and <= (byte)'~' and not (byte)'%')
                encoded.Append((char)one);
            else
                encoded.Append(CultureInfo.InvariantCulture, $"%{one:X2}");
        }

        return encoded.ToString();
    }

    private static bool IsName(string name, string known) => name.Equals(known, StringComparison.OrdinalIgnoreCase);
}
