using Postrider.Client.JetStream.Models;
using Postrider.CommandLine.Terminal;
using Postrider.CommandLine.Verbs;

namespace Postrider.SystemTests.CommandLine;

/// <summary>What people see of streams and consumers.</summary>
public sealed class JetStreamTextTests
{
    private static readonly DateTimeOffset Noon = new(2026, 11, 22, 12, 0, 0, TimeSpan.Zero);

    [Fact]
    public void Stream_is_shown_with_each_limit_and_the_times_of_its_messages()
    {
        var info = new StreamInfo
        {
            Config = new StreamConfig { Name = "ORDERS", Subjects = ["orders.>"], MaxAge = TimeSpan.FromHours(24), MaxMessages = 1_000_000, MaxMessageBytes = 65_536, DuplicateWindow = TimeSpan.FromMinutes(2), AllowDirect = true },
            Created = Noon,
            State = new StreamState { Messages = 2, Bytes = 2_048, FirstSequence = 4, FirstTime = Noon.AddHours(1), LastSequence = 5, LastTime = Noon.AddHours(2), ConsumerCount = 1, SubjectCount = 2 },
            Cluster = new ClusterInfo { Leader = "NCPQDW" },
        };

        Assert.Equal(
            """
            Name                     ORDERS
            Created                  2026-11-22 12:00:00Z
            Subjects                 orders.>
            Replicas                 1
            Storage                  File
            Retention                Limits
            Discard Policy           Old
            Duplicate Window         2m
            Allows                   direct get

            Limits:
            Maximum Messages         1,000,000
            Maximum Per Subject      unlimited
            Maximum Bytes            unlimited
            Maximum Age              24h
            Maximum Message Size     64 KiB
            Maximum Consumers        unlimited

            State:
            Messages                 2
            Bytes                    2 KiB
            First Sequence           4 at 2026-11-22 13:00:00Z
            Last Sequence            5 at 2026-11-22 14:00:00Z
            Active Consumers         1
            Number of Subjects       2
            """,
            StreamText.Readable(info));
    }

    [Fact]
    public void Streams_stand_in_a_table_with_headings()
    {
        var table = StreamText.Table();
        StreamText.AddTo(table, new StreamInfo { Config = new StreamConfig { Name = "ORDERS", Subjects = ["orders.>", "more"] }, State = new StreamState { Messages = 1_200, Bytes = 500, LastTime = Noon } });
        StreamText.AddTo(table, new StreamInfo { Config = new StreamConfig { Name = "A", Subjects = ["a"] } });

        Assert.Equal(
            """
            Name    Messages   Size  Last message          Subjects
            ORDERS     1,200  500 B  2026-11-22 12:00:00Z  orders.>, more
            A              0    0 B  never                 a
            """,
            table.ToString());
    }

    [Fact]
    public void Table_without_rows_is_empty() => Assert.Equal("", StreamText.Table().ToString());

    [Fact]
    public void Consumer_is_shown_in_the_words_of_nats()
    {
        var info = new ConsumerInfo
        {
            Name = "billing",
            StreamName = "ORDERS",
            Created = Noon,
            Config = new ConsumerConfig { FilterSubject = "orders.new", AckPolicy = AckPolicy.Explicit, AckWait = TimeSpan.FromSeconds(30), MaxDeliver = -1, MaxAckPending = 1_000 },
            Delivered = new SequenceInfo { ConsumerSequence = 3, StreamSequence = 4, LastActive = Noon.AddSeconds(5) },
            AckFloor = new SequenceInfo { ConsumerSequence = 2, StreamSequence = 3 },
            AckPendingCount = 1,
            PendingCount = 7,
            Paused = true,
            PauseRemaining = new TimeSpan(0, 0, 9, 59, 914),
        };

        Assert.Equal(
            """
            Name                     billing
            Stream                   ORDERS
            Created                  2026-11-22 12:00:00Z
            Filter Subjects          orders.new
            Deliver Policy           All
            Replay Policy            Instant
            Ack Policy               Explicit
            Ack Wait                 30s
            Max Ack Pending          1,000
            Maximum Deliveries       unlimited
            Paused                   for 9m59s more

            State:
            Last Delivered           stream sequence 4, consumer sequence 3
            Last Delivery            2026-11-22 12:00:05Z
            Acknowledgment Floor     stream sequence 3, consumer sequence 2
            Outstanding Acks         1
            Redelivered Messages     0
            Unprocessed Messages     7
            Waiting Pulls            0
            """,
            ConsumerText.Readable(info));
    }
}
