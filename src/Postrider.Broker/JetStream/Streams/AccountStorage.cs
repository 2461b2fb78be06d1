using System.Runtime.CompilerServices;
using Postrider.Broker.JetStream.Model;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>The storage that the streams of one account use, and its limits.</summary>
/// <remarks>Thread-safe. Units: bytes.</remarks>
internal sealed class AccountStorage(ServerStorage server, AccountLimits limits)
{
    private AccountLimits _limits = limits;
    private long _memoryBytes;
    private long _storeBytes;

    /// <summary>The account's limits.</summary>
    public AccountLimits Limits
    {
        get => Volatile.Read(ref _limits);
        set => Volatile.Write(ref _limits, value);
    }

    /// <summary>Bytes in memory streams.</summary>
    public long MemoryBytes => Volatile.Read(ref _memoryBytes);

    /// <summary>Bytes in file streams.</summary>
    public long StoreBytes => Volatile.Read(ref _storeBytes);

    /// <summary>Adds bytes, or subtracts them.</summary>
    public void CountBytes(StreamStorage storage, long bytes)
    {
        if (storage == StreamStorage.Memory) Interlocked.Add(ref _memoryBytes, bytes);
        else Interlocked.Add(ref _storeBytes, bytes);
        server.CountBytes(storage, bytes);
    }

    /// <summary>Finds the limit of the account or the server that additional bytes would exceed.</summary>
    /// <returns>The error of that limit, or null.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ApiError? FindLimitProblem(StreamStorage storage, long bytes)
    {
        if (server.IsOver(storage)) return FindServerProblem(storage);
        var allowed = Limits;
        var max = storage == StreamStorage.Memory ? allowed.MaxMemoryBytes : allowed.MaxStoreBytes;
        return max >= 0 && (storage == StreamStorage.Memory ? MemoryBytes : StoreBytes) + bytes > max ? ApiErrors.AccountResourcesExceeded : null;
    }

    private ApiError FindServerProblem(StreamStorage storage)
    {
        server.NoteFull(storage, storage == StreamStorage.Memory ? server.MemoryBytes : server.StoreBytes);
        return ApiErrors.InsufficientResources;
    }
}
