using Postrider.Flow;
using Postrider.Flow.Outcomes;
using Postrider.Flow.Pumps;
using Postrider.Flow.Sources;

namespace Postrider.UnitTests.Flow.Pumps;

/// <summary>A thread has parked a pump and looks once more at what it could have missed, while another takes the pump up.</summary>
public class ParkedPumpTests
{
    [Fact]
    public async Task Run_that_another_thread_ends_keeps_its_source_while_the_thread_that_parked_looks_at_it()
    {
        var steps = new Steps();
        var pump = new Pump<int, int, Pending<int>, SteppedSource, DelegateBody<int, int>, SteppedSink>();
        steps.Pump = pump;
        var parking = Task.Run(() => pump.Start(
            new FlowOptions { MaxConcurrency = 2 }.Settings, new SteppedSource(steps), new DelegateBody<int, int>(static (i, _) => new(i)), new SteppedSink(steps),
            TestContext.Current.CancellationToken));
        await steps.Looking.Task.WaitAsync(TestContext.Current.CancellationToken);

        steps.Horizon = long.MaxValue;
        pump.Unpark(onThisThread: true);
        var end = await steps.Ended.Task.WaitAsync(TestContext.Current.CancellationToken);
        steps.MayLookOn.Set();
        await parking;

        Assert.Equal(2, end.Taken);
        Assert.Equal(3, steps.Sum);
        Assert.True(steps.LookedToTheEnd);
    }

    private sealed class Steps
    {
        private readonly int[] _items = [1, 2];
        private int _next;
        private int _looks;

        public PumpState Pump { get; set; } = null!;

        public TaskCompletionSource Looking { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public ManualResetEventSlim MayLookOn { get; } = new();

        public TaskCompletionSource<RunEnd> Ended { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public long Horizon { get; set; } = 1;

        public int Sum { get; set; }

        public bool LookedToTheEnd { get; set; }

        public long Taken => _next;

        public bool IsDone => _next >= _items.Length;

        /// <summary>True for the first look at the source while the pump is parked.</summary>
        public bool IsFirstLook() => Pump.IsParkedForRoom && Interlocked.Increment(ref _looks) == 1;

        public ClaimResult Claim(ref ItemChunk<int> chunk, long horizon)
        {
            if (IsDone)
                return ClaimResult.Done;
            if (_next >= horizon)
                return ClaimResult.Full;
            chunk.Next = _next++;
            chunk.End = _next;
            return ClaimResult.Items;
        }

        public int Item(long index) => _items[index];
    }

    private readonly struct SteppedSource(Steps steps) : ISource<int>
    {
        private readonly Steps? _steps = steps;

        public static bool FillsChunks => false;

        public static bool Waits => false;

        public bool MayBlock => false;

        public long? Total => null;

        public long Taken => _steps!.Taken;

        public bool IsDone
        {
            get
            {
                var steps = _steps!;
                if (!steps.IsFirstLook())
                    return steps.IsDone;
                steps.Looking.SetResult();
                steps.MayLookOn.Wait();
                // The field, read again: the pump must not have let go of it.
                steps.LookedToTheEnd = _steps is not null;
                return steps.IsDone;
            }
        }

        public void Open(CancellationToken ct)
        {
        }

        public bool TakeWanted() => false;

        public ClaimResult Claim(ref ItemChunk<int> chunk, int max, long horizon) => _steps!.Claim(ref chunk, horizon);

        public int Item(in ItemChunk<int> chunk, long index) => _steps!.Item(index);

        public bool HoldsBack() => false;

        public bool TryTakeHeld(out ItemChunk<int> chunk)
        {
            chunk = default;
            return false;
        }

        public void ArmRead(Action continuation) => throw new NotSupportedException();

        public ClaimResult EndRead(ref ItemChunk<int> chunk) => throw new NotSupportedException();

        public ValueTask CloseAsync() => default;
    }

    private readonly struct SteppedSink(Steps steps) : ISink<int>
    {
        public static bool WantsOutcomes => false;

        public long Horizon => steps.Horizon;

        public bool HasResults => false;

        public void Succeed(long index, int value) => steps.Sum += value;

        public void Settle(in Outcome<int> outcome)
        {
        }

        public void Flush()
        {
        }

        public void Complete(in RunEnd end) => steps.Ended.SetResult(end);
    }
}
