namespace Postrider.UnitTests.Architecture;

/// <summary>What a rule found against it.</summary>
internal static class Findings
{
    /// <summary>Fails with every finding on a line of its own: the list is the work to do, so none is left out.</summary>
    public static void None<T>(IEnumerable<T> found)
    {
        var lines = found.Select(item => item?.ToString() ?? "").ToArray();
        Assert.True(lines.Length == 0, $"{lines.Length} found:\n" + string.Join('\n', lines));
    }
}
