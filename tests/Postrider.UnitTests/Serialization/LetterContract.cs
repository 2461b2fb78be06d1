namespace Postrider.UnitTests.Serialization;

/// <summary>The contract with a C# record.</summary>
public abstract class LetterContract : MessageContract<Letter>
{
    protected override Letter Full => new()
    {
        Title = "Größe, 大きさ, 🚚",
        Lines = [new() { Text = "\"first\" <&> \\ line", Numbers = [1, -2, int.MaxValue] }, new() { Text = null, Numbers = null }, new() { Text = "", Numbers = [7] }],
        Enclosure = [0, 127, 128, 255],
    };

    protected override Letter Empty => new();

    /// <summary>Whether null and empty lists differ on the wire.</summary>
    protected virtual bool HasNullLists => true;

    protected override Letter With(byte[] content) => new() { Enclosure = content };

    protected override void AssertSame(Letter expected, Letter actual)
    {
        Assert.Equal((expected.Title, expected.Remark), (actual.Title, actual.Remark));
        Assert.Equal(expected.Enclosure, actual.Enclosure);
        Assert.Equal(List(expected.Lines)?.Select(static line => line.Text), actual.Lines?.Select(static line => line.Text));
        Assert.Equal(List(expected.Lines)?.Select(line => List(line.Numbers)), actual.Lines?.Select(static line => line.Numbers));
    }

    private List<TItem>? List<TItem>(List<TItem>? list) => HasNullLists ? list : list ?? [];
}
