namespace Postrider.Client.JetStream.Models;

/// <summary>Requests to the API.</summary>
public sealed record ApiStatistics
{
    /// <summary>The API level, which grows with the server version.</summary>
    public int Level { get; init; }

    /// <summary>Requests.</summary>
    public ulong Total { get; init; }

    /// <summary>Requests that failed.</summary>
    public ulong Errors { get; init; }

    /// <summary>Requests in progress.</summary>
    public ulong Inflight { get; init; }
}
