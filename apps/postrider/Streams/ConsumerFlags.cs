using System.CommandLine;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;

namespace Postrider.CommandLine.Streams;

/// <summary>A consumer's configuration on the command line: given options replace values, the rest is kept.</summary>
internal sealed class ConsumerFlags
{
    private readonly Option<FileInfo?> _config = new("--config") { Description = "A JSON file with the configuration; other flags override it" };
    private readonly Option<string?> _description = new("--description") { Description = "Description" };
    private readonly Option<string[]?> _filters = JetStreamVerb.Words("--filter", "The subjects it delivers").Subjects();
    private readonly Option<DeliverPolicy?> _deliver = new Option<DeliverPolicy?>("--deliver") { Description = "Start position: all, last, new, lastPerSubject or byStartSequence" }.OneOf();
    private readonly Option<ulong?> _start = new Option<ulong?>("--start-seq") { Description = "The first sequence" }.AtLeast(1);
    private readonly Option<AckPolicy?> _ack = new Option<AckPolicy?>("--ack") { Description = "explicit, none or all" }.OneOf();
    private readonly Option<TimeSpan?> _ackWait = JetStreamVerb.Time("--ack-wait", "Time to wait for an acknowledgement");
    private readonly Option<int?> _maxDeliver = new Option<int?>("--max-deliver") { Description = "Maximum number of deliveries of a message; -1 for no limit" }.AtLeast(-1);
    private readonly Option<int?> _maxPending = new Option<int?>("--max-pending") { Description = "Maximum number of unacknowledged messages; -1 for no limit" }.AtLeast(-1);
    private readonly Option<TimeSpan?> _inactive = JetStreamVerb.Time("--inactive-threshold", "Idle time after which it is deleted");
    private readonly Option<ReplayPolicy?> _replay = new Option<ReplayPolicy?>("--replay") { Description = "instant or original" }.OneOf();
    private readonly Option<bool?> _headersOnly = new("--headers-only") { Description = "Deliver headers without payloads" };

    internal IEnumerable<Symbol> All =>
        [_config, _description, _filters, _deliver, _start, _ack, _ackWait, _maxDeliver, _maxPending, _inactive, _replay, _headersOnly];

    /// <summary>The configuration with the given options applied.</summary>
    internal async Task<ConsumerConfig> ApplyAsync(ConsumerConfig config, JetStreamVerb.Call call, CancellationToken ct)
    {
        if (call.Get(_config) is { } file)
            config = await JetStreamVerb.ReadAsync(file, ApiText.ReadConsumerConfig, ct) with { Name = config.Name, DurableName = config.DurableName };
        if (call.Get(_filters) is { } filters)
            config = config with { FilterSubject = filters is [var one] ? one : null, FilterSubjects = filters.Length > 1 ? filters : null };
        return config with
        {
            Description = call.Get(_description) ?? config.Description,
            DeliverPolicy = call.Get(_deliver) ?? (call.Get(_start) is null ? config.DeliverPolicy : DeliverPolicy.ByStartSequence),
            StartSequence = call.Get(_start) ?? config.StartSequence,
            AckPolicy = call.Get(_ack) ?? config.AckPolicy,
            AckWait = call.Get(_ackWait) ?? config.AckWait,
            MaxDeliver = call.Get(_maxDeliver) ?? config.MaxDeliver,
            MaxAckPending = call.Get(_maxPending) ?? config.MaxAckPending,
            InactiveThreshold = call.Get(_inactive) ?? config.InactiveThreshold,
            ReplayPolicy = call.Get(_replay) ?? config.ReplayPolicy,
            HeadersOnly = call.Get(_headersOnly) ?? config.HeadersOnly,
        };
    }
}
