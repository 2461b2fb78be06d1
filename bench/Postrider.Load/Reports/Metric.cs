namespace Postrider.Load.Reports;

/// <summary>A figure that rows report: its unit in JSON lines, its heading, and how two servers' figures make a ratio.</summary>
/// <param name="Unit">The unit field of JSON lines; one row holds each unit once per subject.</param>
/// <param name="Heading">Column heading.</param>
/// <param name="Ratio">Which way round the ratio is taken, or null when the figure is not compared.</param>
internal sealed record Metric(string Unit, string Heading, Metric.Order? Ratio = null)
{
    /// <summary>Which way round a ratio is taken.</summary>
    public enum Order
    {
        /// <summary>Ours / the peer's.</summary>
        OursByPeer,

        /// <summary>The peer's / ours.</summary>
        PeerByOurs,
    }

    public static readonly Metric Throughput = new("msg/s", "msg/s", Order.OursByPeer);
    public static readonly Metric Megabytes = new("MB/s", "MB/s");
    public static readonly Metric ServerCpu = new("server CPU ns/msg", "server CPU/msg", Order.PeerByOurs);
    public static readonly Metric LoadCpu = new("generator CPU ns/msg", "generator CPU/msg");
    public static readonly Metric ClientCpu = new("client CPU ns/msg", "client CPU/msg", Order.PeerByOurs);
    public static readonly Metric P50 = new("P50 us", "P50 µs", Order.OursByPeer);
    public static readonly Metric P99 = new("P99 us", "P99 µs", Order.OursByPeer);
    public static readonly Metric P999 = new("P99.9 us", "P99.9 µs");
    public static readonly Metric Resident = new("RSS MB", "RSS MB");

    public static readonly Metric Subscribing = new("subs/s", "subs/s", Order.OursByPeer);
    public static readonly Metric Sampled = new("1/s", "per second");
    public static readonly Metric BytesEach = new("B each", "bytes each", Order.OursByPeer);
    public static readonly Metric KibibytesEach = new("KiB each", "KiB each", Order.OursByPeer);

    public static readonly Metric Seconds = new("s", "seconds", Order.OursByPeer);
    public static readonly Metric StreamResident = new("stream RSS MB", "RSS MB", Order.OursByPeer);
    public static readonly Metric DiskFlush = new("fsync us", "fsync µs");

    public double? RatioOf(double ours, double peer) => Ratio switch
    {
        Order.OursByPeer when peer != 0 => ours / peer,
        Order.PeerByOurs when ours != 0 => peer / ours,
        _ => null,
    };
}
