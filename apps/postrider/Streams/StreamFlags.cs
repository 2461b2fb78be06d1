using System.CommandLine;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;

namespace Postrider.CommandLine.Streams;

/// <summary>A stream's configuration on the command line: given options replace values, the rest is kept.</summary>
internal sealed class StreamFlags
{
    private readonly Option<FileInfo?> _config = new("--config") { Description = "A JSON file with the configuration; other flags override it" };
    private readonly Option<string[]?> _subjects = JetStreamVerb.Words("--subjects", "The subjects it stores").Subjects();
    private readonly Option<string?> _description = new("--description") { Description = "Description" };
    private readonly Option<StreamRetention?> _retention = new Option<StreamRetention?>("--retention") { Description = "Retention policy: limits, interest or workqueue" }.OneOf();
    private readonly Option<StreamStorage?> _storage = new Option<StreamStorage?>("--storage") { Description = "file or memory" }.OneOf();
    private readonly Option<int?> _replicas = new Option<int?>("--replicas") { Description = "Number of replicas in a cluster" }.AtLeast(1);
    private readonly Option<long?> _maxMessages = new Option<long?>("--max-msgs") { Description = "Maximum number of messages; -1 for no limit" }.AtLeast(-1);
    private readonly Option<long?> _maxBytes = ByteSize.Create("--max-bytes", "Maximum number of bytes; -1 for no limit");
    private readonly Option<TimeSpan?> _maxAge = JetStreamVerb.Time("--max-age", "Maximum age of messages");
    private readonly Option<long?> _maxPerSubject = new Option<long?>("--max-msgs-per-subject") { Description = "Maximum number of messages per subject; -1 for no limit" }.AtLeast(-1);
    private readonly Option<long?> _maxMessageBytes = ByteSize.Create("--max-msg-size", "Maximum message size; -1 for no limit", max: int.MaxValue);
    private readonly Option<DiscardPolicy?> _discard = new Option<DiscardPolicy?>("--discard") { Description = "Discard policy of a full stream: old or new" }.OneOf();
    private readonly Option<TimeSpan?> _duplicateWindow = JetStreamVerb.Time("--dupe-window", "Duplicate window: how long message ids are remembered");
    private readonly Option<StreamCompression?> _compression = new Option<StreamCompression?>("--compression") { Description = "none or s2" }.OneOf();
    private readonly Option<bool?> _direct = new("--allow-direct") { Description = "Allow direct gets" };
    private readonly Option<bool?> _rollup = new("--allow-rollup") { Description = "Allow publishes to roll up (replace) earlier messages" };
    private readonly Option<bool?> _timeToLive = new("--allow-msg-ttl") { Description = "Allow a time to live per message" };
    private readonly Option<bool?> _atomic = new("--allow-atomic") { Description = "Allow atomic batch publishes" };
    private readonly Option<StreamSource[]?> _mirror = StreamOrigin.Create("--mirror", "The stream to mirror: its name, or JSON with its name, filter, start and external API", max: 1);
    private readonly Option<StreamSource[]?> _sources = StreamOrigin.Create("--sources", "The source streams: names separated by commas, or JSON", max: int.MaxValue);
    private readonly Option<string?> _originDomain = new("--origin-domain") { Description = "The JetStream domain of the streams of --mirror and --sources" };

    internal StreamFlags() => _originDomain.Validators.Add(result =>
    {
        if (result.GetResult(_mirror) is null && result.GetResult(_sources) is null) result.AddError($"{_originDomain.Name} needs {_mirror.Name} or {_sources.Name}.");
    });

    internal IEnumerable<Symbol> All =>
    [
        _config, _subjects, _description, _retention, _storage, _replicas, _maxMessages, _maxBytes, _maxAge, _maxPerSubject, _maxMessageBytes,
        _discard, _duplicateWindow, _compression, _direct, _rollup, _timeToLive, _atomic, _mirror, _sources, _originDomain,
    ];

    /// <summary>The configuration with the given options applied.</summary>
    internal async Task<StreamConfig> ApplyAsync(StreamConfig config, JetStreamVerb.Call call, CancellationToken ct)
    {
        if (call.Get(_config) is { } file)
            config = await JetStreamVerb.ReadAsync(file, ApiText.ReadStreamConfig, ct) with { Name = config.Name };
        return config with
        {
            Subjects = call.Get(_subjects) ?? config.Subjects,
            Description = call.Get(_description) ?? config.Description,
            Retention = call.Get(_retention) ?? config.Retention,
            Storage = call.Get(_storage) ?? config.Storage,
            Replicas = call.Get(_replicas) ?? config.Replicas,
            MaxMessages = call.Get(_maxMessages) ?? config.MaxMessages,
            MaxBytes = call.Get(_maxBytes) ?? config.MaxBytes,
            MaxAge = call.Get(_maxAge) ?? config.MaxAge,
            MaxMessagesPerSubject = call.Get(_maxPerSubject) ?? config.MaxMessagesPerSubject,
            MaxMessageBytes = (int)(call.Get(_maxMessageBytes) ?? config.MaxMessageBytes),
            Discard = call.Get(_discard) ?? config.Discard,
            DuplicateWindow = call.Get(_duplicateWindow) ?? config.DuplicateWindow,
            Compression = call.Get(_compression) ?? config.Compression,
            AllowDirect = call.Get(_direct) ?? config.AllowDirect,
            AllowRollup = call.Get(_rollup) ?? config.AllowRollup,
            AllowMessageTimeToLive = call.Get(_timeToLive) ?? config.AllowMessageTimeToLive,
            AllowAtomicPublish = call.Get(_atomic) ?? config.AllowAtomicPublish,
            Mirror = Origins(_mirror)?[0] ?? config.Mirror,
            Sources = Origins(_sources) ?? config.Sources,
        };

        StreamSource[]? Origins(Option<StreamSource[]?> option) => StreamOrigin.In(call.Get(_originDomain), call.Get(option));
    }
}
