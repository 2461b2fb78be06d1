namespace Postrider.SystemTests.Guides;

/// <summary>A place where a page shows something else than what was printed.</summary>
/// <param name="Command">The command, as the page shows it.</param>
/// <param name="FirstLine">The place of the shown output in the page; null if what was printed has no place there.</param>
/// <param name="Expected">The page's lines.</param>
/// <param name="Actual">What was printed, in the page's words where they are known.</param>
internal sealed record GuideDifference(string Command, int? FirstLine, IReadOnlyList<string> Expected, IReadOnlyList<string> Actual)
{
    public override string ToString() => $"$ {Command}\n--- the guide\n{string.Join('\n', Expected)}\n--- printed\n{string.Join('\n', Actual)}";

    /// <summary>Fails if there are differences; writes what was printed into the page first, for review, if POSTRIDER_WRITE_GUIDE is 1.</summary>
    internal static async Task NoneAsync(IReadOnlyList<GuideDifference> differences, string path)
    {
        if (differences.Count > 0 && Environment.GetEnvironmentVariable("POSTRIDER_WRITE_GUIDE") == "1")
        {
            var lines = (await File.ReadAllTextAsync(path)).Split('\n').ToList();
            foreach (var one in differences.Where(static one => one.FirstLine is not null).OrderByDescending(static one => one.FirstLine))
            {
                lines.RemoveRange(one.FirstLine!.Value, one.Expected.Count);
                lines.InsertRange(one.FirstLine.Value, one.Actual);
            }
            await File.WriteAllTextAsync(path, string.Join('\n', lines));
        }
        Assert.True(differences.Count == 0, string.Join("\n\n", differences));
    }
}
