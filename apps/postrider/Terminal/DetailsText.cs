using System.Globalization;
using System.Text;

namespace Postrider.CommandLine.Terminal;

/// <summary>The details of one item: a label and a value per line, in sections.</summary>
internal sealed class DetailsText
{
    private const int LabelWidth = 24;

    private readonly StringBuilder _text = new();

    /// <summary>Starts a section.</summary>
    internal DetailsText Section(string heading)
    {
        _text.Append(CultureInfo.InvariantCulture, $"\n{(Colours.AreOn ? Colours.Heading($"{heading}:") : $"{heading}:")}\n");
        return this;
    }

    /// <summary>Adds a line; nothing if the value is null or empty.</summary>
    internal DetailsText Add(string label, string? value)
    {
        if (!string.IsNullOrEmpty(value))
            _text.Append(CultureInfo.InvariantCulture, $"{label.PadRight(LabelWidth)} {value}\n");
        return this;
    }

    /// <inheritdoc cref="Add(string, string?)"/>
    internal DetailsText Add(string label, ulong value) => Add(label, Quantity.Text(value));

    /// <summary>Adds a limit; a value below 1 means no limit.</summary>
    internal DetailsText AddLimit(string label, long value, Func<long, string>? show = null)
        => Add(label, value > 0 ? (show ?? Quantity.Text)(value) : "unlimited");

    /// <summary>Adds a limit; zero means no limit.</summary>
    internal DetailsText AddLimit(string label, TimeSpan value)
        => Add(label, value > TimeSpan.Zero ? Duration.Text(value) : "unlimited");

    public override string ToString() => _text.ToString().Trim('\n');
}
