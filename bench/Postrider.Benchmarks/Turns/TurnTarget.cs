using System.Globalization;

namespace Postrider.Benchmarks.Turns;

/// <summary>A target and what was reached.</summary>
/// <param name="Name">What the figure counts, such as <c>of minimal API</c>.</param>
/// <param name="Reached">The figure.</param>
/// <param name="Most">The most it may be.</param>
public sealed record TurnTarget(string Name, double Reached, double Most)
{
    /// <summary>Whether it was reached.</summary>
    public bool Holds => Reached <= Most;

    /// <summary>Our figure over another's.</summary>
    public static TurnTarget Of(TurnCell ours, TurnCell other, double most) => new("of " + other.Subject, ours.Value / other.Value, most);

    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Reached:0.###} {Name} (<= {Most:0.###}) {(Holds ? "held" : "MISSED")}");
}
