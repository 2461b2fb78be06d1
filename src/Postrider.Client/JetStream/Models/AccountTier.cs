namespace Postrider.Client.JetStream.Models;

/// <summary>JetStream usage and limits of an account or tier.</summary>
public record AccountTier
{
    /// <summary>Bytes in memory.</summary>
    public ulong Memory { get; init; }

    /// <summary>Bytes in files.</summary>
    public ulong Storage { get; init; }

    /// <summary>Bytes in memory that streams have reserved.</summary>
    public ulong ReservedMemory { get; init; }

    /// <summary>Bytes in files that streams have reserved.</summary>
    public ulong ReservedStorage { get; init; }

    /// <summary>Streams.</summary>
    public int Streams { get; init; }

    /// <summary>Consumers.</summary>
    public int Consumers { get; init; }

    /// <summary>The limits.</summary>
    public AccountLimits Limits { get; init; } = new();
}
