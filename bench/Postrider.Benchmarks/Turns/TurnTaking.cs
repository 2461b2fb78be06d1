using System.Runtime;

namespace Postrider.Benchmarks.Turns;

/// <summary>Takes the cells of a row in turns, in one process: round after round, so that a busy moment meets all of them.</summary>
/// <remarks>Before that all of them run until the runtime compiles nothing any more: code that is called once in a millisecond
/// takes longer to be optimised than code that is called a thousand times as often.</remarks>
/// <param name="Rounds">How many.</param>
/// <param name="Phase">How long every subject runs in a phase of the warm-up.</param>
/// <param name="RoundTime">How long a round is.</param>
internal sealed record TurnTaking(int Rounds, TimeSpan Phase, TimeSpan RoundTime)
{
    private const int LeastPhases = 3;
    private const int MostPhases = 10;
    private const int QuietPhases = 2;

    // Longer than the runtime's tiering delay.
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(130);

    /// <summary>Short operations.</summary>
    public static TurnTaking Of(bool quick) => quick
        ? new(5, TimeSpan.FromMilliseconds(15), TimeSpan.FromMilliseconds(40))
        : new(15, TimeSpan.FromMilliseconds(100), TimeSpan.FromMilliseconds(120));

    public async Task<IReadOnlyList<TurnCell>> TakeAsync(string row, IReadOnlyList<Turn> turns)
    {
        await WarmUpAsync(turns, MostPhases);
        var taken = turns.Select(_ => new List<TurnRound>()).ToList();
        for (var round = 0; round < Rounds; round++)
        {
            for (var i = 0; i < turns.Count; i++)
            {
                var at = (i + round) % turns.Count;
                taken[at].Add(await turns[at].RoundAsync(RoundTime));
            }
        }

        return [.. turns.Select((turn, i) => new TurnCell(row, turn.Subject, taken[i], turn.IsByMedian))];
    }

    /// <summary>Runs what the rows have in common, so that the first row is not measured half compiled.</summary>
    public Task SettleAsync(IReadOnlyList<Turn> turns) => WarmUpAsync(turns, 4 * MostPhases);

    private async Task WarmUpAsync(IReadOnlyList<Turn> turns, int mostPhases)
    {
        var quiet = 0;
        for (var i = 0; i < mostPhases && (i < LeastPhases || quiet < QuietPhases); i++)
        {
            var compiled = JitInfo.GetCompiledMethodCount();
            foreach (var turn in turns)
                await turn.WarmUpAsync(Phase);
            await Task.Delay(s_pause);
            quiet = JitInfo.GetCompiledMethodCount() == compiled ? quiet + 1 : 0;
        }
    }
}
