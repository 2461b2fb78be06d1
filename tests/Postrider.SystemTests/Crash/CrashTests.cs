using System.Globalization;

namespace Postrider.SystemTests.Crash;

/// <summary>The broker as a process of its own, killed at random moments while messages flow: it keeps what it acknowledged.</summary>
public sealed class CrashTests(ITestOutputHelper output)
{
    /// <summary>Rounds of each setting; <c>./dev bench crash ROUNDS</c> sets the sum.</summary>
    public static TheoryData<string, int> Settings
    {
        get
        {
            var sum = int.Parse(Environment.GetEnvironmentVariable("POSTRIDER_CRASH_ROUNDS") ?? "10", CultureInfo.InvariantCulture);
            var third = sum / 3;
            return new() { { "2m", sum - 2 * third }, { "group", third }, { "always", third } };
        }
    }

    [Theory]
    [MemberData(nameof(Settings))]
    public async Task What_was_acknowledged_survives_every_kill(string syncInterval, int rounds)
    {
        var seed = Seed.Next();
        output.WriteLine($"seed {seed}, {rounds} rounds");
        using var story = new CrashStory(syncInterval, new Random(seed));

        for (var round = 1; round <= rounds; round++) await story.LiveUntilKilledAsync($"round {round}");
        await story.CheckEverythingAsync();

        output.WriteLine(story.Summary);
        Assert.True(story.Acknowledged >= rounds, story.Summary);
    }
}
