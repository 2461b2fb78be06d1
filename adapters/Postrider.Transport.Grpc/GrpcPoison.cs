namespace Postrider.Transport.Grpc;

/// <summary>The poison profile: limits that protect the server and the receivers from messages that cannot be handled.</summary>
public sealed record GrpcPoison
{
    /// <summary>The largest body in bytes that is sent and received. 4 MiB by default, which is also gRPC's own limit.</summary>
    public int MaxBodyBytes { get; set; } = 4 * 1024 * 1024;

    /// <summary>The largest size in bytes of everything except the body that is received: destination, ids and headers. 64 KiB by
    /// default.</summary>
    public int MaxHeaderBytes { get; set; } = 64 * 1024;
}
