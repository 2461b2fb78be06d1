using Postrider.Sockets;

namespace Postrider.SystemTests.Sockets;

[Collection(nameof(ConnectionContract))]
public sealed class EpollConnectionTests() : EngineContract(EngineKind.Epoll)
{
    [Fact]
    public async Task Side_that_ended_is_known_to_have_before_what_it_sent_is_read()
    {
        var (a, b) = await ConnectAsync();
        var (atA, atB) = (new Recorder(), new Witness(b));
        a.Start(atA);
        b.PauseReading();
        b.Start(atB);
        SendOwn(a, new MessageWriter(1), 100, static _ => 100);
        var knewBefore = b.HasPeerHungUp;
        a.Close();
        await atA.Closed.WaitAsync(Patience);

        b.ResumeReading();
        await atB.Closed.WaitAsync(Patience);

        Assert.False(knewBefore);
        Assert.True(atB.KnewAtFirst);
    }

    private sealed class Witness(Connection connection) : IReceiver
    {
        private readonly TaskCompletionSource _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public bool? KnewAtFirst { get; private set; }

        public Task Closed => _closed.Task;

        public int Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
        {
            neededBytes = 0;
            KnewAtFirst ??= connection.HasPeerHungUp;
            return input.Length;
        }

        void IReceiver.Closed(CloseReason reason, Exception? error) => _closed.TrySetResult();
    }
}
