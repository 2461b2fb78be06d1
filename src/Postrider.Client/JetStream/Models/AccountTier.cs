namespace Postrider.Client.JetStream.Models;

/// <summary>What an account uses of JetStream, and may use.</summary>
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

    /// <summary>What it may use.</summary>
    public AccountLimits Limits { get; init; } = new();
}
