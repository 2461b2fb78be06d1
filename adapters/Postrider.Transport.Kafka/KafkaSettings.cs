using Confluent.Kafka;

namespace Postrider.Transport.Kafka;

/// <summary>The options as settings of the client.</summary>
internal static class KafkaSettings
{
    // The size of a message besides its body: headers, key and the format's own fields.
    internal const int HeaderRoomBytes = 64 * 1024;

    // The client's maximum.
    private const int MaxMessageBytes = 1_000_000_000;

    // The client's minimum, and its default for a whole response.
    private const int MinMessageBytes = 1000;
    private const int MinAnswerBytes = 100_000_000;

    internal static ProducerConfig Producer(KafkaOptions options)
    {
        var settings = new ProducerConfig
        {
            LingerMs = options.Throughput.Linger.TotalMilliseconds,
            BatchSize = options.Throughput.BatchBytes,
            QueueBufferingMaxMessages = options.Throughput.MaxUnconfirmed,
            CompressionType = (CompressionType)options.Throughput.Compression,
            Acks = options.Throughput.Acks == KafkaAcks.All ? Acks.All : Acks.Leader,
            EnableIdempotence = options.Throughput.Idempotence,
            MessageTimeoutMs = Milliseconds(options.Retry.SendTimeout),
            TopicMetadataPropagationMaxMs = Milliseconds(options.Retry.UnknownTopicWait),
            RetryBackoffMaxMs = Milliseconds(options.Retry.MaxPause),
            RetryBackoffMs = Math.Min(100, Milliseconds(options.Retry.MaxPause)),
            // The sender has the limit: a dead letter may be as large as what the servers have accepted from others.
            MessageMaxBytes = MaxMessageBytes,
            // Chooses the same partition for a key as Java clients.
            Partitioner = Partitioner.Murmur2Random,
            // The content of a report would be copied, although it is not read.
            DeliveryReportFields = "status",
        };
        // A send to a misspelled topic must fail instead of creating the topic.
        settings.Set("allow.auto.create.topics", "false");
        Add(settings, options);
        return settings;
    }

    internal static ConsumerConfig Consumer(KafkaOptions options, KafkaBinding binding)
    {
        var session = Milliseconds(options.Retry.SessionTimeout);
        var fetch = Math.Max(options.Throughput.ReadAheadBytes, MessageMaxBytes(options));
        var settings = new ConsumerConfig
        {
            GroupId = binding.Group,
            GroupInstanceId = binding.Member,
            // The listener knows which messages are finished.
            EnableAutoCommit = false,
            EnableAutoOffsetStore = false,
            AutoOffsetReset = binding.FromBeginning ? AutoOffsetReset.Earliest : AutoOffsetReset.Latest,
            PartitionAssignmentStrategy = PartitionAssignmentStrategy.CooperativeSticky,
            SessionTimeoutMs = session,
            HeartbeatIntervalMs = Math.Max(100, session / 15),
            MaxPollIntervalMs = Math.Max(300_000, session),
            AllowAutoCreateTopics = false,
            IsolationLevel = IsolationLevel.ReadCommitted,
            FetchMaxBytes = fetch,
            ReceiveMessageMaxBytes = Math.Max(MinAnswerBytes, fetch + HeaderRoomBytes),
            MaxPartitionFetchBytes = options.Throughput.ReadAheadBytes,
            QueuedMaxMessagesKbytes = Math.Max(1, options.Throughput.ReadAheadBytes / 1024),
            FetchErrorBackoffMs = Math.Min(500, Milliseconds(options.Retry.MaxPause)),
            MessageMaxBytes = MessageMaxBytes(options),
        };
        Add(settings, options);
        return settings;
    }

    /// <summary>Of a consumer that reads a topic without a group's help.</summary>
    internal static ConsumerConfig Reader(KafkaOptions options, string group)
    {
        var settings = Consumer(options, new KafkaBinding("any") { Group = group });
        settings.EnablePartitionEof = true;
        return settings;
    }

    private static int MessageMaxBytes(KafkaOptions options) => Math.Max(MinMessageBytes, (int)Math.Min(900_000_000L, (long)options.Poison.MaxBodyBytes + HeaderRoomBytes));

    private static void Add(ClientConfig settings, KafkaOptions options)
    {
        settings.BootstrapServers = options.Servers;
        settings.ClientId = options.ClientName ?? "postrider";
        settings.ReconnectBackoffMs = Math.Min(100, Milliseconds(options.Retry.MaxPause));
        settings.ReconnectBackoffMaxMs = Milliseconds(options.Retry.MaxPause);
        settings.LogConnectionClose = false;
        settings.SecurityProtocol = (options.Security.Tls, options.Security.User is not null) switch
        {
            (true, true) => SecurityProtocol.SaslSsl,
            (true, false) => SecurityProtocol.Ssl,
            (false, true) => SecurityProtocol.SaslPlaintext,
            _ => SecurityProtocol.Plaintext,
        };
        if (options.Security.CaFile is { } authorities)
            settings.SslCaLocation = authorities;
        if (options.Security.User is { } user)
        {
            settings.SaslUsername = user;
            settings.SaslPassword = options.Security.Password ?? "";
            settings.SaslMechanism = options.Security.Mechanism switch
            {
                KafkaSaslMechanism.ScramSha256 => SaslMechanism.ScramSha256,
                KafkaSaslMechanism.ScramSha512 => SaslMechanism.ScramSha512,
                _ => SaslMechanism.Plain,
            };
        }

        if (!options.IsEventHubs)
            return;
        // Event Hubs closes connections that were idle for four minutes, and answers a request within a minute at the latest.
        settings.ConnectionsMaxIdleMs = 180_000;
        settings.MetadataMaxAgeMs = 180_000;
        settings.SocketKeepaliveEnable = true;
        settings.SocketTimeoutMs = 60_000;
    }

    private static int Milliseconds(TimeSpan time) => (int)Math.Clamp(time.TotalMilliseconds, 1, int.MaxValue);
}
