using Postrider.Load.Rows;
using Postrider.Load.Servers;
using Postrider.Load.Traffic;

namespace Postrider.Load.Runs;

/// <summary>Consumes a whole stream with a new consumer; its creation is part of the time.</summary>
internal static class ConsumeRun
{
    private const string Consumer = "LOADED";
    private const long Second = 1_000_000_000;

    /// <summary>Measures one of the ways of consuming.</summary>
    /// <param name="work">Which.</param>
    /// <param name="server">Where.</param>
    /// <param name="api">A connection to it.</param>
    /// <param name="stream">The stream.</param>
    /// <param name="total">Messages it has.</param>
    /// <exception cref="LoadException">A message missing, twice, out of order, or not acknowledged in the end.</exception>
    public static StreamResult Measure(StreamWork work, ServerProcess server, StreamApi api, string stream, long total)
    {
        var (plan, config) = work switch
        {
            StreamWork.Fetch => (new ConsumePlan(stream, Consumer, total) { Batch = JetStreamRows.Batch, AskAfter = JetStreamRows.Batch, Acknowledges = true },
                (object)new { durable_name = Consumer, name = Consumer, ack_policy = "explicit" }),
            StreamWork.OrderedPull => (new ConsumePlan(stream, Consumer, total) { Batch = JetStreamRows.Batch, AskAfter = JetStreamRows.Batch / 2 },
                new { name = Consumer, ack_policy = "none", max_deliver = 1, mem_storage = true, num_replicas = 1, inactive_threshold = 300 * Second }),
            StreamWork.OrderedPush => (new ConsumePlan(stream, Consumer, total), Push("all", null)),
            _ => (new ConsumePlan(stream, Consumer, total) { GetsAll = false }, Push("last_per_subject", ">")),
        };
        using var sockets = new SocketSet(server.Port);
        using var consuming = new ConsumeLoop(plan, sockets.Open(1)[0]);
        var result = PublishRun.Time(server, _ =>
        {
            api.CreateConsumer(stream, Consumer, config);
            consuming.Run();
            return (consuming.Received, consuming.Finished);
        });
        if (plan.Acknowledges)
            api.ExpectAcknowledged(stream, Consumer, total);
        api.DeleteConsumer(stream, Consumer);
        return result;
    }

    private static object Push(string deliver, string? filter) => new
    {
        name = Consumer,
        deliver_subject = ConsumePlan.Inbox,
        deliver_policy = deliver,
        filter_subject = filter ?? "",
        ack_policy = "none",
        max_deliver = 1,
        mem_storage = true,
        num_replicas = 1,
        flow_control = true,
        idle_heartbeat = 5 * Second,
        inactive_threshold = 300 * Second,
    };
}
