namespace Postrider.UnitTests.Flow.Operators;

/// <summary>Random operators, options, sources, bodies, cancellations, breaks, pauses and changes of limit, in virtual time.</summary>
public class ScheduleTests
{
    private const int Schedules = 10_000;
    private const int Parts = 4;

    public static TheoryData<int> EveryPart => [.. Enumerable.Range(0, Parts)];

    [Theory]
    [MemberData(nameof(EveryPart))]
    public void Nothing_hangs_leaks_or_is_lost(int part)
    {
        // A number in POSTRIDER_SEED replays one schedule; a failure names it.
        var first = Seed.IsReplay ? Seed.Next() : (Seed.Next() & 0x3FFF_FFFF) + (part * (Schedules / Parts));
        var count = Seed.IsReplay ? 1 : Schedules / Parts;

        for (var seed = first; seed < first + count; seed++)
        {
            var schedule = new Schedule(seed, new TestClock());
            try
            {
                schedule.Run();
            }
            catch (Exception failure)
            {
                Assert.Fail($"Part {part}: POSTRIDER_SEED={seed} {schedule}: {failure}");
            }
        }
    }
}
