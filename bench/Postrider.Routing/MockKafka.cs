using System.Diagnostics;
using System.Runtime.InteropServices;
using Confluent.Kafka;

namespace Postrider.Routing;

/// <summary>librdkafka's mock cluster, in this process.</summary>
internal sealed partial class MockKafka : IDisposable
{
    private const int Producer = 0;

    private readonly nint _client;
    private readonly nint _cluster;

    static MockKafka()
        // The plain name would load a build that wants another SASL library than Debian has: the client has chosen the right one.
        => NativeLibrary.SetDllImportResolver(
            typeof(MockKafka).Assembly,
            static (name, _, _) => name == "librdkafka"
                ? NativeLibrary.Load(Process.GetCurrentProcess().Modules.Cast<ProcessModule>().First(static module => module.FileName.Contains("librdkafka", StringComparison.Ordinal)).FileName)
                : 0);

    public MockKafka(string topic)
    {
        Library.Load();
        _client = rd_kafka_new(Producer, 0, new byte[512], 512);
        _cluster = rd_kafka_mock_cluster_new(_client, 1);
        Servers = Marshal.PtrToStringUTF8(rd_kafka_mock_cluster_bootstraps(_cluster))!;
        if (rd_kafka_mock_topic_create(_cluster, topic, 1, 1) is not 0 and var error)
            throw new KafkaException((ErrorCode)error);
    }

    public string Servers { get; }

    public void Dispose()
    {
        rd_kafka_mock_cluster_destroy(_cluster);
        rd_kafka_destroy(_client);
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

    [LibraryImport("librdkafka", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int rd_kafka_mock_topic_create(nint cluster, string topic, int partitions, int replicas);
}
