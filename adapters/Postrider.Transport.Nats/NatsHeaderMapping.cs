using Postrider.Client;
using Postrider.Envelopes;

namespace Postrider.Transport.Nats;

/// <summary>Headers of envelopes as NATS' and back.</summary>
internal static class NatsHeaderMapping
{
    private const string ServiceError = "Nats-Service-Error";
    private const string ServiceErrorCode = "Nats-Service-Error-Code";

    // The server's headers: they describe the publish and the delivery, not the message.
    private const string ServerHeaders = "Nats-";

    /// <summary>For sending a message.</summary>
    public static NatsHeaders ToNats(in MessageProperties properties)
    {
        var target = new NatsHeaders();
        properties.WriteTo(target);
        return target;
    }

    /// <summary>The headers of a reply; null for none.</summary>
    public static NatsHeaders? ToNats(Headers headers)
    {
        if (headers.Count == 0) return null;
        var target = new NatsHeaders();
        foreach (var (name, value) in headers) target.Add(name, value);
        if (headers[HeaderNames.Error] is not { } error) return target;
        target[ServiceError] = error;
        target[ServiceErrorCode] = StatusOf(headers[HeaderNames.ErrorCode]);
        return target;
    }

    // HTTP's numbers, which services use by convention: 4xx is an error of the sender.
    private static string StatusOf(string? code) => code switch
    {
        "Codec" or "Invalid" => "400",
        "Refused" => "403",
        "QueueFull" or "Unavailable" => "503",
        "Timeout" => "504",
        _ => "500",
    };

    /// <summary>Of a message that arrived.</summary>
    public static Headers FromNats(NatsHeaders? headers)
    {
        var target = new Headers();
        if (headers is null) return target;
        foreach (var (name, value) in headers)
            if (!name.StartsWith(ServerHeaders, StringComparison.OrdinalIgnoreCase)) target.Add(name, value);
        // A service other than Postrider's reports its failure in a different way.
        if (headers[ServiceError] is { } error && target[HeaderNames.Error] is null)
        {
            target[HeaderNames.Error] = error;
            target[HeaderNames.ErrorCode] = headers[ServiceErrorCode];
        }
        return target;
    }
}
