namespace Postrider.Transport.Grpc;

/// <summary>The throughput profile: limits of concurrent work.</summary>
public sealed record GrpcThroughput
{
    /// <summary>Number of concurrent sends and requests of this transport; the next one waits. 256 by default.</summary>
    public int MaxInFlight { get; set; } = 256;

    /// <summary>Number of received messages that wait for a slot of their binding's <c>MaxConcurrency</c>; a further one is rejected with
    /// RESOURCE_EXHAUSTED. 1,024 by default.</summary>
    public int MaxWaiting { get; set; } = 1024;

    /// <summary>Number of concurrent messages of one <c>SendBatch</c> stream; the stream is not read further meanwhile. 64
    /// by default.</summary>
    public int MaxBatchInFlight { get; set; } = 64;

    /// <summary>The initial window of each HTTP/2 stream in bytes. 1 MiB by default: with the 64 KiB of the standard a large body waits
    /// for the receiver several times.</summary>
    public int WindowBytes { get; set; } = 1024 * 1024;

    /// <summary>Whether a further connection is opened when the server's limit of streams per connection is reached. True by
    /// default.</summary>
    public bool UseSeveralConnections { get; set; } = true;
}
