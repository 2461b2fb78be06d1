namespace Postrider.Client.JetStream.Models;

/// <summary>Requests to the API.</summary>
public sealed record ApiStatistics
{
    /// <summary>The API's level; it grows with the server's version.</summary>
    public int Level { get; init; }

    /// <summary>Requests.</summary>
    public ulong Total { get; init; }

    /// <summary>Of those, refused.</summary>
    public ulong Errors { get; init; }

    /// <summary>Of those, under way.</summary>
    public ulong Inflight { get; init; }
}
