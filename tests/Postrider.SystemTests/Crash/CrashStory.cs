using System.Globalization;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.SystemTests.CommandLine;

namespace Postrider.SystemTests.Crash;

/// <summary>A store that outlives its brokers: publishers, a worker and somebody who deletes, until the next kill.</summary>
internal sealed class CrashStory(string syncInterval, Random random) : IDisposable
{
    private const string Program = "postrider-crash";
    private const string Stream = "CRASH";
    private const string Worker = "WORK";
    private const int Publishers = 3;
    private const int InFlight = 64;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly string _store = Directory.CreateTempSubdirectory("postrider-crash-").FullName;
    private readonly CrashNotes _notes = new(Publishers);
    private int _duplicates;

    public int Acknowledged => _notes.Count;

    public string Summary => $"{Acknowledged} messages acknowledged, {_duplicates} found to be stored already, {_notes.Deleted} deleted, floor {_notes.Floor}";

    /// <summary>Starts a broker on the store, checks what it found, works with it and kills it in the middle.</summary>
    public async Task LiveUntilKilledAsync(string where)
    {
        using var broker = StartBroker();
        await using var client = await ConnectAsync(broker);
        var stream = await CheckAsync(client, where);
        await CheckDuplicatesAsync(client.CreateJetStreamContext(), where);
        var consumer = await CheckConsumerAsync(stream, where);
        using var killed = new CancellationTokenSource();
        var (enough, floor) = (_notes.Count + random.Next(1, 500), _notes.Floor);
        Task[] work =
        [
            .. Enumerable.Range(0, Publishers).Select(publisher => PublishAsync(client.CreateJetStreamContext(), publisher, new Random(random.Next()), killed.Token)),
            WorkAsync(consumer, floor, where, killed.Token),
            DeleteAsync(stream, new Random(random.Next()), killed.Token),
        ];

        await Eventually.HoldsAsync(() => (_notes.Count >= enough && _notes.Floor != floor) || work.Any(static task => task.IsFaulted), Patience);
        await Task.Delay(random.Next(20));
        await broker.SignalAsync("KILL");
        await broker.ExitAsync();
        await killed.CancelAsync();
        await Task.WhenAll(work).WaitAsync(Patience);
    }

    /// <summary>Starts a last broker and reads everything from the first message on.</summary>
    public async Task CheckEverythingAsync()
    {
        using var broker = StartBroker();
        await using var client = await ConnectAsync(broker);
        _notes.CheckAgain();
        var stream = await CheckAsync(client, "at the end");
        await CheckConsumerAsync(stream, "at the end");
    }

    public void Dispose() => Directory.Delete(_store, recursive: true);

    private ServerProcess StartBroker()
    {
        var folder = ServerProcess.NewFolder();
        var configuration = Path.Join(folder, "broker.conf");
        File.WriteAllText(configuration, $$"""
            port: -1
            ports_file_dir: "."
            jetstream { store_dir: "{{_store}}", sync_interval: "{{syncInterval}}" }
            """);
        return ServerProcess.Start(Program, folder, "serve", "-c", configuration);
    }

    private static async Task<NatsClient> ConnectAsync(ServerProcess broker)
    {
        var ports = await broker.PortsAsync(Program);
        return await NatsClient.ConnectAsync(ports.GetProperty("nats")[0].GetString()!, static options =>
        {
            options.Reconnect = false;
            options.RequestTimeout = Patience;
        });
    }

    private async Task<JetStreamStream> CheckAsync(NatsClient client, string where)
    {
        using var patience = new CancellationTokenSource(Patience);
        var stream = await client.CreateJetStreamContext().CreateStreamAsync(
            new StreamConfig { Name = Stream, Subjects = ["crash.*"], Storage = StreamStorage.File, DuplicateWindow = TimeSpan.FromHours(1) }, patience.Token);
        var last = (await stream.RefreshAsync(ct: patience.Token)).State.LastSequence;
        Assert.True(last >= _notes.LastSequence, $"{where}: {_notes.LastSequence} was acknowledged, the stream ends at {last}");
        if (last > _notes.Checked)
        {
            var unread = new OrderedConsumerOptions { DeliverPolicy = DeliverPolicy.ByStartSequence, StartSequence = _notes.Checked + 1 };
            await foreach (var message in stream.CreateOrderedConsumer(unread).ConsumeAsync<string>(ct: patience.Token))
            {
                _notes.Check(message.Sequence, message.Subject, message.Data, where);
                if (message.Metadata.Pending == 0) break;
            }
        }
        _notes.CheckComplete(where);
        return stream;
    }

    private async Task CheckDuplicatesAsync(JetStreamContext context, string where)
    {
        for (var publisher = 0; publisher < Publishers; publisher++)
        {
            foreach (var (number, sequence) in _notes.NewestOf(publisher, 5))
            {
                var again = await context.PublishAsync($"crash.{publisher}", $"{number} again", Id(publisher, number));
                Assert.True(again.IsDuplicate && again.Sequence == sequence, $"{where}: {number} of publisher {publisher} was stored as {sequence} and now again as {again.Sequence}");
            }
        }
    }

    private async Task<JetStreamConsumer> CheckConsumerAsync(JetStreamStream stream, string where)
    {
        using var patience = new CancellationTokenSource(Patience);
        var consumer = await stream.CreateOrUpdateConsumerAsync(
            new ConsumerConfig { DurableName = Worker, AckPolicy = AckPolicy.Explicit, AckWait = TimeSpan.FromMilliseconds(300), MaxAckPending = 10_000 }, patience.Token);
        Assert.True(consumer.Info.AckFloor.StreamSequence >= _notes.Floor, $"{where}: the floor was {_notes.Floor} and is {consumer.Info.AckFloor.StreamSequence}");
        return consumer;
    }

    private async Task PublishAsync(JetStreamContext context, int publisher, Random sizes, CancellationToken killed)
    {
        await using var window = context.CreatePublisher(new PublisherOptions { MaxInFlight = 2 * InFlight, Retries = 0 });
        var sent = new Queue<(int Number, Task<PublishAck> Acknowledgement)>();
        try
        {
            for (var number = _notes.NextOf(publisher); !killed.IsCancellationRequested; number++)
            {
                var payload = $"{number} {new string('x', sizes.Next(2000))}";
                sent.Enqueue((number, window.PublishAsync($"crash.{publisher}", payload, Id(publisher, number), ct: killed).AsTask()));
                if (sent.Count == InFlight) await NoteAsync(publisher, sent);
            }
        }
        catch (Exception end) when (IsOfTheKill(end))
        {
            // What was answered before the kill is a promise too, but nothing behind the first that was not.
        }
        try
        {
            while (sent.Count > 0) await NoteAsync(publisher, sent);
        }
        catch (Exception end) when (IsOfTheKill(end))
        {
            foreach (var (_, acknowledgement) in sent) await acknowledgement.ContinueWith(static _ => { }, TaskScheduler.Default);
        }
    }

    private async Task NoteAsync(int publisher, Queue<(int Number, Task<PublishAck> Acknowledgement)> sent)
    {
        var (number, acknowledgement) = sent.Dequeue();
        var stored = await acknowledgement;
        _notes.Acknowledge(publisher, number, stored.Sequence);
        if (stored.IsDuplicate) Interlocked.Increment(ref _duplicates);
    }

    private async Task WorkAsync(JetStreamConsumer consumer, ulong floorBefore, string where, CancellationToken killed)
    {
        // Redeliveries come in between; the broker's own floor, once it has answered, is what is promised.
        var done = 0;
        try
        {
            await foreach (var message in consumer.ConsumeAsync<string>(ct: killed))
            {
                Assert.True(message.Sequence > floorBefore, $"{where}: {message.Sequence} was delivered again, the floor was {floorBefore}");
                if (++done % 10 != 0)
                {
                    await message.AckAsync(killed);
                    continue;
                }
                await message.AckAndConfirmAsync(Patience, killed);
                _notes.Floor = (await consumer.RefreshAsync(killed)).AckFloor.StreamSequence;
            }
        }
        catch (Exception end) when (IsOfTheKill(end))
        {
            // Killed: the floor that was told last must hold.
        }
    }

    private async Task DeleteAsync(JetStreamStream stream, Random picks, CancellationToken killed)
    {
        try
        {
            for (var i = 0; i < 5 && _notes.TryPickForDeletion(picks, out var sequence); i++)
            {
                await stream.DeleteMessageAsync(sequence, ct: killed);
                _notes.Delete(sequence);
            }
        }
        catch (Exception end) when (IsOfTheKill(end))
        {
            // Killed: whether the last one is gone, nobody was told.
        }
    }

    private static PublishOptions Id(int publisher, int number) => new() { MessageId = string.Create(CultureInfo.InvariantCulture, $"{publisher}-{number}") };

    // A refusal is no part of a kill: it fails the test.
    private static bool IsOfTheKill(Exception error) => error is OperationCanceledException || (error is NatsClientException and not JetStreamException);
}
