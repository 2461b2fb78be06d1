using Microsoft.Extensions.Logging;
using Postrider.Broker.Accounts;
using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Snapshots;
using Postrider.Broker.JetStream.Streams.Publishing;
using Postrider.Broker.JetStream.Streams.Queues;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Routing;
using Postrider.Sockets;
using Postrider.Storage;
using Postrider.Storage.Encryption;
using Postrider.Storage.Files;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>A broker's streams: the engine that all accounts share.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class JetStreamEngine
{
    // An idle stream's files are only checked at every fifth watch.
    private const int WatchesPerIdleStream = 5;

    // The delay after which a stream whose disk was full tries to accept messages again.
    private static readonly TimeSpan ResumeInterval = TimeSpan.FromSeconds(5);

    // Long requests check for the stop between two steps; those that do not end within this time are abandoned.
    private static readonly TimeSpan RequestStopLimit = TimeSpan.FromSeconds(2);

    // The interval of checks for removed files: one check of each stream that was written to, which costs about two
    // microseconds. Where a flush precedes each acknowledgement, the flush checks.
    private static readonly TimeSpan WatchInterval = TimeSpan.FromSeconds(1);

    private readonly IConsumerRegistry? _consumers;
    private readonly ITimer _flush;
    private readonly ITimer _resume;
    private readonly ITimer _watch;
    private int _watches;
    private int _offline;
    private int _state;
    private int _closedStreams;

    /// <summary>Creates an engine that has not read any stream yet.</summary>
    /// <param name="options">The options.</param>
    /// <param name="time">The clock.</param>
    /// <param name="batches">The broker's batches.</param>
    /// <param name="serverName">The broker's name.</param>
    /// <param name="version">The version to report.</param>
    /// <param name="logger">The log.</param>
    /// <param name="root">The folder of file streams.</param>
    /// <param name="consumers">Serves consumers.</param>
    public JetStreamEngine(
        JetStreamOptions options,
        TimeProvider time,
        SendBatchSet batches,
        string serverName,
        string version,
        ILogger logger,
        IStoreFolder root,
        IConsumerRegistry? consumers)
    {
        Options = options;
        Time = time;
        Clock = new Clock(time);
        Batches = batches;
        ServerName = serverName;
        Version = version;
        Logger = logger;
        Root = root;
        _consumers = consumers;
        Memory = new IndexCacheBudget(options.IndexCacheBytes);
        Storage = new ServerStorage(options, root.Path, Clock, logger);
        Progress = new RecoveryProgress(time, logger);
        if (options.Durability == JetStreamDurability.GroupSync) Committer = new GroupCommitter();
        _flush = time.CreateTimer(static state => ((JetStreamEngine)state!).Flush(), this, options.SyncInterval, options.SyncInterval);
        _resume = time.CreateTimer(static state => ((JetStreamEngine)state!).Resume(), this, ResumeInterval, ResumeInterval);
        _watch = time.CreateTimer(static state => ((JetStreamEngine)state!).Watch(), this, WatchInterval, WatchInterval);
    }

    /// <summary>The options.</summary>
    public JetStreamOptions Options { get; }

    /// <summary>The clock for timers.</summary>
    public TimeProvider Time { get; }

    /// <summary>The clock for messages' timestamps.</summary>
    public Clock Clock { get; }

    /// <summary>The broker's batches.</summary>
    public SendBatchSet Batches { get; }

    /// <summary>The broker's name.</summary>
    public string ServerName { get; }

    /// <summary>The version to report.</summary>
    public string Version { get; }

    /// <summary>The log.</summary>
    public ILogger Logger { get; }

    /// <summary>The folder of file streams.</summary>
    public IStoreFolder Root { get; private set; }

    /// <summary>The source of random numbers.</summary>
    public Random Random { get; } = Random.Shared;

    /// <summary>The memory budget of indexes.</summary>
    public IndexCacheBudget Memory { get; }

    /// <summary>The memory budget of running restores.</summary>
    public RestoreMemory RestoreMemory { get; } = new();

    /// <summary>The limit of running snapshots.</summary>
    public SnapshotLimit Snapshots { get; } = new();

    /// <summary>The group committer of streams whose commits are flushed to the disk, or null.</summary>
    public GroupCommitter? Committer { get; }

    /// <summary>Serves consumers, or null.</summary>
    public IConsumerRegistry? Consumers => _consumers;

    /// <summary>Requests that wait for streams to be recovered.</summary>
    public DeferredRequests Recovery { get; } = new();

    /// <summary>The progress of the recovery.</summary>
    public RecoveryProgress Progress { get; }

    /// <summary>The storage that all streams use.</summary>
    public ServerStorage Storage { get; }

    /// <summary>Creates the follower that copies a source into a stream.</summary>
    public Func<MessageStream, StreamSource, ISourceFollower>? FollowSource { get; set; }

    /// <summary>Subscribes the direct gets of a stream; set by the API.</summary>
    public Action<MessageStream, Action<string, IInternalSubscriber>>? SubscribeDirectGets { get; set; }

    /// <summary>Maximum number of bytes pending for one connection: responses are limited to it.</summary>
    public long MaxPendingBytes { get; init; } = 64 * 1024 * 1024;

    /// <summary>The accounts that have streams. Replaced as a whole when one is added.</summary>
    public IReadOnlyList<JetStreamAccount> Accounts { get; private set; } = [];

    /// <summary>The limit of atomic batches that are open in all streams.</summary>
    public OpenBatchLimit OpenBatches { get; } = new();

    /// <summary>The limit of fast batches that are open in all streams.</summary>
    public OpenBatchLimit OpenFastBatches { get; } = new();

    /// <summary>Whether the engine stops, so that long work has to be cancelled.</summary>
    public bool IsStopping => Volatile.Read(ref _state) != 0;

    /// <summary>The number of streams that <see cref="Stop"/> has closed so far, to observe its progress.</summary>
    public int ClosedStreams => Volatile.Read(ref _closedStreams);

    /// <summary>The number of streams that were taken out of service because of an error.</summary>
    public int OfflineStreams => Volatile.Read(ref _offline);

    /// <summary>Opens the folder of the streams with the configured keys. Called before accounts are enabled.</summary>
    /// <exception cref="IOException">The folder cannot be read, or the keys do not match; nothing was changed.</exception>
    public void OpenRoot()
    {
        var keys = Options.EncryptionKey is { } key
            ? new StoreKeyOptions(key, Options.PreviousEncryptionKey, Options.Cipher == JetStreamCipher.AesGcm ? StoreCipher.AesGcm : StoreCipher.ChaCha20Poly1305)
            : null;
        Root = StoreEncryption.Open(Root, keys, note => StreamLog.Encryption(Logger, note));
    }

    /// <summary>Enables JetStream for an account. Called before the recovery, never concurrently.</summary>
    public JetStreamAccount Enable(Account account, AccountLimits limits)
    {
        var enabled = new JetStreamAccount(this, account, limits, Root.Folder(account.Name));
        Accounts = [.. Accounts, enabled];
        _consumers?.Register(enabled);
        return enabled;
    }

    /// <summary>Disables JetStream for an account that continues to exist: its streams are closed and stay on the disk. Never called
    /// concurrently.</summary>
    public void Disable(JetStreamAccount account)
    {
        Accounts = [.. Accounts.Where(other => !ReferenceEquals(other, account))];
        foreach (var subscription in account.ApiSubscriptions) subscription.Leave(account.Account.Subscriptions);
        account.ApiSubscriptions.Clear();
        if (!account.Mutations.Stop(RequestStopLimit) | !account.Queries.Stop(RequestStopLimit)) StreamLog.RequestsLeft(Logger, account.Account.Name);
        Batches.Run((Engine: this, account), static (state, batch) =>
        {
            foreach (var stream in state.account.Streams)
            {
                state.Engine._consumers?.EndPulls(stream, batch);
                Close(stream, batch);
            }
        });
        _consumers?.Unregister(account);
    }

    /// <summary>Ends waiting pull requests because the broker stops. Called before the connections end.</summary>
    public void EndPulls()
    {
        if (_consumers is not { } consumers) return;
        Batches.Run((Engine: this, consumers), static (state, batch) =>
        {
            foreach (var stream in state.Engine.Accounts.SelectMany(static account => account.Streams)) state.consumers.EndPulls(stream, batch);
        });
    }

    /// <summary>Closes every stream; their files are kept.</summary>
    public void Stop()
    {
        if (Interlocked.Exchange(ref _state, 1) != 0) return;
        _flush.Dispose();
        _resume.Dispose();
        _watch.Dispose();
        foreach (var account in Accounts)
        {
            if (!account.Mutations.Stop(RequestStopLimit) | !account.Queries.Stop(RequestStopLimit)) StreamLog.RequestsLeft(Logger, account.Account.Name);
        }
        Batches.Run(this, static (engine, batch) =>
        {
            foreach (var account in engine.Accounts)
            {
                foreach (var stream in account.Streams)
                {
                    Close(stream, batch);
                    Interlocked.Increment(ref engine._closedStreams);
                }
            }
        });
        Committer?.Dispose();
    }

    /// <summary>Counts a stream that was taken out of service because of an error.</summary>
    internal void CountOffline() => Interlocked.Increment(ref _offline);

    private static void Close(MessageStream stream, SendBatch batch)
    {
        try
        {
            stream.Close(delete: false, batch);
        }
        catch (Exception error) when (error is not OutOfMemoryException)
        {
            // The other streams are closed all the same.
            StreamLog.Offline(stream.Account.Engine.Logger, stream.Account.Account.Name, stream.Name, error);
        }
        stream.Dispose();
    }

    private void Resume() => ForEach(static stream => stream.TryResume());

    private void Watch()
    {
        var evenIfIdle = Interlocked.Increment(ref _watches) % WatchesPerIdleStream == 0;
        ForEach(evenIfIdle ? static stream => stream.CheckFolder(evenIfIdle: true) : static stream => stream.CheckFolder(evenIfIdle: false));
    }

    private void Flush()
    {
        if (Options.Durability == JetStreamDurability.PageCache) ForEach(static stream => _ = stream.Flush());
    }

    private void ForEach(Action<MessageStream> action)
    {
        foreach (var stream in Accounts.SelectMany(static account => account.Streams))
        {
            try
            {
                action(stream);
            }
            catch (Exception error) when (error is not OutOfMemoryException)
            {
                // An exception in a timer would end the process.
                stream.Fail(error);
            }
        }
    }
}
