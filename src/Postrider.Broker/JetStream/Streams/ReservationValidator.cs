using Postrider.Broker.JetStream.Model;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Checks whether there is room for a stream's reservation.</summary>
internal static class ReservationValidator
{
    /// <summary>The first limit that a new stream would exceed, or null. Without a limit of its own it reserves nothing, but it needs a byte that no other
    /// stream has reserved.</summary>
    /// <param name="account">The stream's account.</param>
    /// <param name="config">A checked configuration.</param>
    public static ApiError? ValidateNew(JetStreamAccount account, StreamConfig config) => Validate(account, config, Math.Max(config.MaxBytes, 1));

    /// <summary>The first limit that additional reserved bytes would exceed, or null.</summary>
    /// <param name="account">The stream's account.</param>
    /// <param name="config">A checked configuration.</param>
    /// <param name="more">The additional bytes to reserve.</param>
    public static ApiError? Validate(JetStreamAccount account, StreamConfig config, long more)
    {
        var limits = account.Limits;
        if (config.MaxConsumers > 0 && limits.MaxConsumers > 0 && config.MaxConsumers > limits.MaxConsumers) return ApiErrors.MaximumConsumersLimit;
        var isMemory = config.Storage == StreamStorage.Memory;
        var problem = isMemory ? ApiErrors.MemoryResourcesExceeded : ApiErrors.StorageResourcesExceeded;
        var mine = isMemory ? limits.MaxMemoryBytes : limits.MaxStoreBytes;
        if (mine >= 0 && more > mine - account.ReservedBytes(config.Storage)) return problem;
        var all = isMemory ? account.Engine.Storage.MaxMemoryBytes : account.Engine.Storage.MaxStoreBytes;
        var reserved = account.Engine.Accounts.Sum(each => each.ReservedBytes(config.Storage));
        if (more <= all - reserved) return null;
        account.Engine.Storage.NoteFull(config.Storage, reserved + more);
        return problem;
    }
}
