using System.Diagnostics.CodeAnalysis;
using Postrider.Envelopes;
using Postrider.Serialization;

namespace Postrider.Sagas;

/// <summary>One saga's name, settings and serializer.</summary>
internal sealed class SagaType<TSaga>
    where TSaga : class
{
    private readonly EnvelopeSerializer<TSaga> _states;

    internal SagaType(SagaOptions options, ISerializerProvider serializers)
    {
        Settings = options.Find<TSaga>() ?? new SagaSettings<TSaga>();
        _states = new(serializers);
        KeepFor = Settings.KeepFor ?? options.KeepFor;
        Missing = Settings.Missing ?? options.Missing;
        MaxBytes = options.MaxBytes;
    }

    internal SagaSettings<TSaga> Settings { get; }

    internal string Name => Settings.Name;

    internal TimeSpan KeepFor { get; }

    internal MissingSaga Missing { get; }

    private int MaxBytes { get; }

    internal (ReadOnlyMemory<byte> State, string ContentType) Write(TSaga saga) => _states.Write(saga);

    /// <exception cref="PostriderException"><see cref="PostriderError.Codec"/>: the bytes are not such a state.</exception>
    internal TSaga Read(SagaRecord record)
    {
        var envelope = new Envelope { Destination = Name, Body = record.State };
        if (record.ContentType is { } contentType)
            envelope.Headers.Add(HeaderNames.ContentType, contentType);
        return _states.Read(envelope) ?? throw new PostriderException(PostriderError.Codec, $"The stored state of a saga '{Name}' is null.");
    }

    internal StoredSaga Store(SagaRecord record, string id, long revision)
    {
        var data = SagaRecordFormat.Write(record);
        if (data.Length > MaxBytes)
            ThrowTooLarge(id, data.Length, record.Pending.Count);
        return new(revision, data) { ExpiresAt = record.IsCompleted ? record.StoredAt + KeepFor : null };
    }

    [DoesNotReturn]
    private void ThrowTooLarge(string id, int bytes, int messages)
        => throw new PostriderException(PostriderError.TooLarge, $"The state of saga '{Name}' with id '{id}' has {bytes} bytes with the {messages} messages that it sends; SagaOptions.MaxBytes is {MaxBytes}.");
}
