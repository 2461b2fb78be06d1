using System.Diagnostics;
using System.Text;
using System.Text.Json;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Streams.Publishing;
using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;
using Postrider.Storage;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>The state of a stream, shared by the parts that publish, schedule and retain its messages.</summary>
/// <remarks><see cref="Gate"/> guards everything unless stated otherwise.</remarks>
internal abstract class StreamCore
{
    // A message to very many subscribers takes longer to publish than to store, and one thread publishes what several store.
    private const int MaxRepublishBytes = 16 * 1024 * 1024;

    protected StreamCore(AccountServices services, StreamConfig config, MessageStore store)
    {
        Services = services;
        Storage = services.Storage;
        Config = config;
        Store = store;
        Name = config.Name;
        var named = $"{{\"stream\":\"{JsonEncodedText.Encode(Name)}\",";
        if (services.Options.Domain is { } domain) named += $"\"domain\":\"{JsonEncodedText.Encode(domain)}\",";
        AckPrefix = Encoding.UTF8.GetBytes($"{named}\"seq\":");
        Duplicates = new DuplicateWindow(services.DuplicateIds);
        Outgoing = new PublishQueue(services.Subscriptions, Gate);
        Effects = new CommitEffects(this);
        Schedules = new StreamSchedules(this);
    }

    /// <summary>Guards the store, the configuration, the consumers and their state.</summary>
    public FairLock Gate { get; } = new();

    /// <summary>The parts of the server and the account that the stream uses.</summary>
    public AccountServices Services { get; }

    /// <summary>The storage that the account's streams use.</summary>
    public AccountStorage Storage { get; }

    /// <summary>The name.</summary>
    public string Name { get; }

    /// <summary>The configuration; replaced as a whole.</summary>
    public StreamConfig Config { get; protected set; }

    /// <summary>The messages.</summary>
    public MessageStore Store { get; }

    /// <summary>The consumers of the stream, mirrors and sources included. A snapshot: never changed, only replaced.</summary>
    public IStreamConsumer[] Consumers { get; protected set; } = [];

    /// <summary>The messages that the stream itself publishes, in order.</summary>
    public PublishQueue Outgoing { get; }

    /// <summary>The scheduled messages.</summary>
    public StreamSchedules Schedules { get; }

    /// <summary>The ids of recent messages.</summary>
    public DuplicateWindow Duplicates { get; }

    /// <summary>The newest message's id.</summary>
    public LastMessageId LastMessageId { get; } = new();

    /// <summary>The transform of incoming subjects, or null.</summary>
    public SubjectTransform? InputTransform { get; set; }

    /// <summary>The transform of the subjects under which stored messages are republished, or null.</summary>
    public SubjectTransform? RepublishTransform { get; set; }

    /// <summary>The beginning of every acknowledgement, up to the sequence.</summary>
    internal byte[] AckPrefix { get; }

    /// <summary>The effects that the next commit has.</summary>
    internal CommitEffects Effects { get; }

    /// <summary>Why the stream stores nothing now: too much of earlier messages is in memory, because they are not republished yet, or because
    /// their ids are still within the duplicate window. Null when it may.</summary>
    /// <param name="idBytes">The length of the new messages' ids.</param>
    internal ApiError? FindMemoryProblem(long idBytes)
    {
        var isBehind = RepublishTransform is not null && (long)Outgoing.Bytes + Effects.RepublishedBytes > MaxRepublishBytes;
        return isBehind || (idBytes > 0 && !Duplicates.HasRoom(idBytes)) ? ApiErrors.StreamTooManyRequests : null;
    }

    /// <summary>A message that expires was stored, or the first message: the time of the next expiry may have changed.</summary>
    internal abstract void OnExpiryChanged();

    /// <summary>Renders the response to a rejected publish.</summary>
    internal byte[] RenderError(ApiError error)
        => JsonSerializer.SerializeToUtf8Bytes(new PubAckReply { Error = error, Stream = Name }, StreamJson.Default.PubAckReply);

    /// <summary>Checks in debug builds that the calling thread holds <see cref="Gate"/>.</summary>
    [Conditional("DEBUG")]
    internal void AssertLocked() => Debug.Assert(Gate.IsHeldByCurrentThread, "The stream's lock is not held.");
}
