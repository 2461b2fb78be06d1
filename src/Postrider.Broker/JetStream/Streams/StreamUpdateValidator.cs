using Postrider.Broker.JetStream.Model;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Checks a change of a stream's configuration.</summary>
internal static class StreamUpdateValidator
{
    /// <summary>Checks a configuration that <see cref="StreamConfigValidator"/> has accepted.</summary>
    /// <param name="account">The stream's account.</param>
    /// <param name="stream">The stream.</param>
    /// <param name="config">The requested configuration; on success with its defaults.</param>
    /// <returns>The first problem, or null.</returns>
    public static ApiError? Validate(JetStreamAccount account, MessageStream stream, ref StreamConfig config)
    {
        var old = stream.Config;
        if ((CheckFixed(old, config) ?? CheckConsumers(stream, config.ConsumerLimits)) is { } problem) return problem;
        if (config.Sealed)
        {
            config = config with
            {
                MaxAge = default,
                Discard = DiscardPolicy.New,
                DenyDelete = true,
                DenyPurge = true,
                AllowRollup = false,
            };
        }
        var more = Math.Max(Math.Max(config.MaxBytes, 0) - Math.Max(old.MaxBytes, 0), 0);
        return ReservationValidator.Validate(account, config, more);
    }

    private static ApiError? CheckConsumers(MessageStream stream, ConsumerLimits limits)
    {
        using (stream.Gate.Hold())
        {
            if (limits == stream.Config.ConsumerLimits) return null;
            var beyond = stream.Consumers.Where(consumer => !consumer.IsInternal && !consumer.Fits(limits)).Select(static consumer => consumer.Name).ToArray();
            return beyond.Length == 0 ? null : ApiErrors.StreamUpdate.With("err", $"change to limits violates consumers: {string.Join(", ", beyond)}");
        }
    }

    private static ApiError? CheckFixed(StreamConfig old, StreamConfig config)
    {
        if (config.Name != old.Name) return StreamConfigValidator.Invalid("stream configuration name must match original");
        if (config.Replicas > 1) return ApiErrors.StreamReplicasNotSupported;
        if (config.Storage != old.Storage) return StreamConfigValidator.Invalid("stream configuration update can not change storage type");
        if (config.Retention != old.Retention && (old.Retention == StreamRetention.WorkQueue || config.Retention == StreamRetention.WorkQueue))
            return StreamConfigValidator.Invalid("stream configuration update can not change retention policy to/from workqueue");
        if (old.Sealed && !config.Sealed) return StreamConfigValidator.Invalid("stream configuration update can not unseal a sealed stream");
        if (old.DenyDelete && !config.DenyDelete) return StreamConfigValidator.Invalid("stream configuration update can not cancel deny message deletes");
        if (old.DenyPurge && !config.DenyPurge) return StreamConfigValidator.Invalid("stream configuration update can not cancel deny purge");
        if (config.Mirror is not null && !StreamConfigJson.AreEqual(config.Mirror, old.Mirror)) return ApiErrors.StreamMirrorNotUpdatable;
        if (old.AllowMessageTtl && !config.AllowMessageTtl) return StreamConfigValidator.Invalid("message TTL status can not be disabled");
        if (config.AllowMessageCounter != old.AllowMessageCounter)
            return StreamConfigValidator.Invalid("stream configuration update can not change message counter setting");
        if (old.AllowMessageSchedules && !config.AllowMessageSchedules) return StreamConfigValidator.Invalid("message schedules can not be disabled");
        return old.PersistMode == config.PersistMode ? null : StreamConfigValidator.Invalid("stream configuration update can not change persist mode");
    }
}
