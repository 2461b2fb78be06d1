using System.Reflection;
using Postrider.Transport.RabbitMq;
using RabbitMQ.Client;

namespace Postrider.UnitTests.Transport.RabbitMq;

public sealed class RabbitMqAcknowledgementsTests
{
    // Handlers end while another one's acknowledgement has just been sent: a race, so there are many of them.
    [Fact]
    public async Task Handlers_that_end_side_by_side_acknowledge_each_message_once()
    {
        const int Count = 400_000;
        var channel = DispatchProxy.Create<IChannel, AckedChannel>();
        var acked = (AckedChannel)(object)channel;
        var acknowledgements = new RabbitMqAcknowledgements(channel, limit: 8);
        acknowledgements.ReaderWaits();
        var tag = 0L;

        await Task.WhenAll(Enumerable.Range(0, 64).Select(_ => Task.Factory.StartNew(() =>
        {
            while (Interlocked.Increment(ref tag) is var mine and <= Count)
                acknowledgements.AcknowledgeAsync((ulong)mine).GetAwaiter().GetResult();
        }, TaskCreationOptions.LongRunning))).WaitAsync(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken);

        Assert.Equal(0, acked.Repeated);
        Assert.Equal(Count, acked.Count);
    }

    /// <summary>Settles tags as the server does, which closes the channel when a frame names a tag that is settled.</summary>
    public class AckedChannel : DispatchProxy
    {
        private readonly HashSet<ulong> _above = [];
        private readonly Lock _settling = new();
        private ulong _upTo;

        public int Repeated { get; private set; }

        public int Count
        {
            get
            {
                lock (_settling) return (int)_upTo + _above.Count;
            }
        }

        protected override object Invoke(MethodInfo? targetMethod, object?[]? args)
        {
            Assert.Equal(nameof(IChannel.BasicAckAsync), targetMethod?.Name);
            var (tag, multiple) = ((ulong)args![0]!, (bool)args[1]!);
            lock (_settling)
            {
                if (tag <= _upTo || !_above.Add(tag)) Repeated++;
                for (var lower = _upTo + 1; multiple && lower < tag; lower++) _above.Add(lower);
                while (_above.Remove(_upTo + 1)) _upTo++;
            }

            return ValueTask.CompletedTask;
        }
    }
}
