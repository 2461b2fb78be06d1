using System.Diagnostics;
using System.Runtime.InteropServices;
using Confluent.Kafka;

namespace Postrider.TransportTests.Kafka;

/// <summary>librdkafka's mock cluster: it speaks Kafka's protocol on loopback ports, and answers with the errors that a test asks for.</summary>
/// <remarks>What it is not: topics are not created by request, transactions are not kept apart, and nothing is on a disk.</remarks>
public sealed partial class MockCluster : IDisposable
{
    private const int Producer = 0;

    private readonly nint _client;
    private readonly nint _cluster;

    static MockCluster()
        // The plain name would load librdkafka.so, which wants another SASL library than Debian has: the client has chosen the right one.
        => NativeLibrary.SetDllImportResolver(
            typeof(MockCluster).Assembly,
            static (name, _, _) => name == "librdkafka"
                ? NativeLibrary.Load(Process.GetCurrentProcess().Modules.Cast<ProcessModule>().First(static module => module.FileName.Contains("librdkafka", StringComparison.Ordinal)).FileName)
                : 0);

    public MockCluster(int brokers = 1)
    {
        Library.Load();
        _client = rd_kafka_new(Producer, 0, new byte[512], 512);
        _cluster = rd_kafka_mock_cluster_new(_client, brokers);
        // Three seconds otherwise, for members that would join a new group a little later.
        rd_kafka_mock_group_initial_rebalance_delay_ms(_cluster, 0);
        Servers = Marshal.PtrToStringUTF8(rd_kafka_mock_cluster_bootstraps(_cluster))!;
    }

    public string Servers { get; }

    public void CreateTopic(string name, int partitions = 1) => Check(rd_kafka_mock_topic_create(_cluster, name, partitions, 1));

    public void DeleteTopic(string name) => Check(rd_kafka_mock_topic_delete(_cluster, name));

    /// <summary>The next requests of a kind are answered with these errors, one each.</summary>
    public void PushErrors(MockRequest request, params ErrorCode[] errors)
        => rd_kafka_mock_push_request_errors_array(_cluster, (short)request, (nuint)errors.Length, [.. errors.Select(static error => (int)error)]);

    /// <summary>Ends all connections to a server, and takes no more.</summary>
    public void Stop(int broker = 1) => Check(rd_kafka_mock_broker_set_down(_cluster, broker));

    public void Start(int broker = 1) => Check(rd_kafka_mock_broker_set_up(_cluster, broker));

    public void Dispose()
    {
        rd_kafka_mock_cluster_destroy(_cluster);
        rd_kafka_destroy(_client);
    }

    private static void Check(int error)
    {
        if (error != 0)
            throw new KafkaException((ErrorCode)error);
    }

    [LibraryImport("librdkafka")]
    private static partial nint rd_kafka_new(int type, nint settings, [Out] byte[] error, nuint errorBytes);

    [LibraryImport("librdkafka")]
    private static partial void rd_kafka_destroy(nint client);

    [LibraryImport("librdkafka")]
    private static partial nint rd_kafka_mock_cluster_new(nint client, int brokers);

    [LibraryImport("librdkafka")]
    private static partial void rd_kafka_mock_cluster_destroy(nint cluster);

    [LibraryImport("librdkafka")]
    private static partial nint rd_kafka_mock_cluster_bootstraps(nint cluster);

    [LibraryImport("librdkafka")]
    private static partial void rd_kafka_mock_group_initial_rebalance_delay_ms(nint cluster, int milliseconds);

    [LibraryImport("librdkafka", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int rd_kafka_mock_topic_create(nint cluster, string topic, int partitions, int replicas);

    [LibraryImport("librdkafka", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int rd_kafka_mock_topic_delete(nint cluster, string topic);

    [LibraryImport("librdkafka")]
    private static partial void rd_kafka_mock_push_request_errors_array(nint cluster, short request, nuint count, int[] errors);

    [LibraryImport("librdkafka")]
    private static partial int rd_kafka_mock_broker_set_down(nint cluster, int broker);

    [LibraryImport("librdkafka")]
    private static partial int rd_kafka_mock_broker_set_up(nint cluster, int broker);
}
