using Postrider.Client;

namespace Postrider.Rpc.Nats;

/// <summary>Header names and error codes of calls over NATS.</summary>
internal static class NatsNames
{
    public const string ContentType = "Content-Type";

    /// <summary>The timeout of the call in milliseconds.</summary>
    public const string Timeout = "Rpc-Timeout";

    /// <summary>The status of a failed call: an <see cref="RpcStatus"/> by name.</summary>
    public const string Status = "Rpc-Status";

    /// <summary>The fault's name; its detail is the payload.</summary>
    public const string Fault = "Rpc-Fault";

    /// <summary>An inbox for the frames of a stream: the caller's in its request, the service's in the response.</summary>
    public const string Link = "Rpc-Link";

    /// <summary>Headers that are not the call's own.</summary>
    public static bool IsCalls(string name)
        => name is not (ContentType or Timeout or Status or Fault or Link) && !name.StartsWith("Nats-", StringComparison.OrdinalIgnoreCase) && RpcHeaders.IsName(name);

    public static void Copy(NatsHeaders? from, RpcHeaders to)
    {
        if (from is null)
            return;
        foreach (var (name, value) in from)
        {
            if (IsCalls(name) && RpcHeaders.IsValue(value))
                to[name] = value;
        }
    }

    public static void Copy(RpcHeaders? from, NatsHeaders to)
    {
        if (from is null)
            return;
        foreach (var (name, value) in from)
        {
            if (IsCalls(name))
                to[name] = value;
        }
    }

    /// <summary>The error code of a NATS service, which is an HTTP status.</summary>
    public static int CodeOf(RpcStatus status) => Http.HttpNames.ToHttp(status);
}
