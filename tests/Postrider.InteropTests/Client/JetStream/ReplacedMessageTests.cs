using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.JetStream.Models;

namespace Postrider.InteropTests.Client.JetStream;

/// <summary>A message that is replaced while it is read: the reader gets the old one or the new one.</summary>
public sealed class ReplacedMessageTests
{
    private const int Reads = 4000;
    private static readonly string[] Keys = ["a", "b", "c", "d", "e"];

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public async Task Key_that_always_has_a_value_is_always_found(int history)
    {
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        patience.CancelAfter(TimeSpan.FromSeconds(90));
        var folder = Directory.CreateTempSubdirectory("postrider-replaced-");
        await using (var broker = await NatsBroker.StartAsync(
            new BrokerOptions { Port = BrokerOptions.RandomPort, JetStream = new Postrider.Broker.JetStreamOptions { StoreDirectory = folder.FullName } }, patience.Token))
        {
            await using var writer = await NatsClient.ConnectAsync(broker.Url!, ct: patience.Token);
            await using var reader = await NatsClient.ConnectAsync(broker.Url!, ct: patience.Token);
            var bucket = await writer.CreateKeyValueContext().CreateBucketAsync(new Postrider.Client.KeyValue.KeyValueConfig { Bucket = "b", History = history }, patience.Token);
            foreach (var key in Keys) await bucket.PutAsync(key, 0, ct: patience.Token);
            using var done = CancellationTokenSource.CreateLinkedTokenSource(patience.Token);
            var writing = WriteAsync(bucket, done.Token);
            var read = await reader.CreateKeyValueContext().GetBucketAsync("b", patience.Token);

            var missing = 0;
            for (var i = 0; i < Reads; i++)
            {
                try
                {
                    await read.GetAsync<int>(Keys[i % Keys.Length], ct: patience.Token);
                }
                catch (NatsClientException error) when (error.Code == NatsErrorCode.NotFound)
                {
                    missing++;
                }
            }
            var lists = new List<int>();
            for (var i = 0; i < 50; i++) lists.Add(await read.GetKeysAsync(ct: patience.Token).CountAsync(patience.Token));
            await done.CancelAsync();
            await Record.ExceptionAsync(() => writing);

            Assert.Equal(0, missing);
            // A key that is replaced while the list is read may be in it more than once or not at all, but a list is never empty.
            Assert.DoesNotContain(0, lists);
        }
        folder.Delete(recursive: true);
    }

    private static Task WriteAsync(Postrider.Client.KeyValue.KeyValueBucket bucket, CancellationToken ct)
        => Task.WhenAll(Enumerable.Range(0, 64).Select(worker => Task.Run(
            async () =>
            {
                for (var i = worker; !ct.IsCancellationRequested; i++) await bucket.PutAsync(Keys[i % Keys.Length], i, ct: ct);
            },
            ct)));
}
