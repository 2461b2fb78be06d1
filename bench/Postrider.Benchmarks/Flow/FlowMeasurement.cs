namespace Postrider.Benchmarks.Flow;

/// <summary>Takes the cells of a group in turns.</summary>
internal static class FlowMeasurement
{
    public static IReadOnlyList<FlowCell> Take(IReadOnlyList<FlowRow> rows, bool quick)
    {
        var cells = new List<CellRun>();
        var processes = rows[0].IsWaiting || quick ? 1 : 3;
        try
        {
            foreach (var row in rows)
                cells.Add(new CellRun(row, processes));
            var rounds = rows[0].IsWaiting ? 1 : quick ? 15 : 41;
            for (var round = 0; round < rounds; round++)
            {
                // Another one begins every round.
                for (var i = 0; i < cells.Count; i++)
                    cells[(i + round) % cells.Count].Round();
                if (round == 0 && rows[0].IsWaiting)
                    rounds = WaitingRounds(cells.Sum(cell => cell.Sum().Median) / cells.Count, quick);
            }
            return [.. cells.Select(cell => cell.Sum())];
        }
        finally
        {
            foreach (var cell in cells)
                cell.Dispose();
        }
    }

    // About as long for short operations as for long ones; a row of many seconds is timers all the way and told once.
    private static int WaitingRounds(double milliseconds, bool quick) => milliseconds switch
    {
        > 5_000 => 1,
        > 800 => 3,
        > 250 => quick ? 3 : 5,
        _ => quick ? 5 : 11,
    };
}
