namespace Postrider.UnitTests.Flow.Operators;

/// <summary>Every operator, interrupted in every way at every point where anything of it is awaited: its source, its hooks,
/// its bodies, before the wait and in the middle of it.</summary>
public class AwaitPointTests
{
    public static TheoryData<FlowOperator, Interruption> EveryInterruption
    {
        get
        {
            var data = new TheoryData<FlowOperator, Interruption>();
            foreach (var flowOperator in Enum.GetValues<FlowOperator>())
            {
                foreach (var interruption in Enum.GetValues<Interruption>())
                    data.Add(flowOperator, interruption);
            }
            return data;
        }
    }

    [Theory]
    [MemberData(nameof(EveryInterruption))]
    public void Interrupted_anywhere_it_ends_whole(FlowOperator flowOperator, Interruption interruption)
    {
        var whole = new AwaitPointRun(flowOperator, interruption, at: int.MaxValue, inTheMiddle: false, new TestClock());
        whole.Run();
        Assert.InRange(whole.Points, 20, 200);

        for (var at = 0; at < whole.Points; at++)
        {
            new AwaitPointRun(flowOperator, interruption, at, inTheMiddle: false, new TestClock()).Run();
            new AwaitPointRun(flowOperator, interruption, at, inTheMiddle: true, new TestClock()).Run();
        }
    }
}
