namespace Postrider.Samples.Converter;

public sealed partial record GallonsToLiters(double Gallons) : IQuery<double>;

public sealed partial record QuartsToLiters(double Quarts) : IQuery<double>;

public sealed partial record PintsToMilliliters(double Pints) : IQuery<double>;

public sealed partial record CupsToMilliliters(double Cups) : IQuery<double>;

public sealed partial record FluidOuncesToMilliliters(double Ounces) : IQuery<double>;

public sealed partial record TablespoonsToMilliliters(double Spoons) : IQuery<double>;

public sealed partial record TeaspoonsToMilliliters(double Spoons) : IQuery<double>;

public sealed partial record ImperialGallonsToLiters(double Gallons) : IQuery<double>;

public sealed partial record BarrelsToLiters(double Barrels) : IQuery<double>;

public sealed partial record BushelsToLiters(double Bushels) : IQuery<double>;

/// <summary>Handler methods of an instance that takes a scoped service: created in the scope of each call.</summary>
internal sealed class Volumes(Visit visit)
{
    [Handler]
    public Task<double> Convert(GallonsToLiters query) => visit.Answer(query.Gallons * 3.785411784);

    [Handler]
    public Task<double> Convert(QuartsToLiters query) => visit.Answer(query.Quarts * 0.946352946);

    [Handler]
    public Task<double> Convert(PintsToMilliliters query) => visit.Answer(query.Pints * 473.176473);

    [Handler]
    public Task<double> Convert(CupsToMilliliters query) => visit.Answer(query.Cups * 236.5882365);

    [Handler]
    public Task<double> Convert(FluidOuncesToMilliliters query) => visit.Answer(query.Ounces * 29.5735295625);

    [Handler]
    public Task<double> Convert(TablespoonsToMilliliters query) => visit.Answer(query.Spoons * 14.78676478125);

    [Handler]
    public Task<double> Convert(TeaspoonsToMilliliters query) => visit.Answer(query.Spoons * 4.92892159375);

    [Handler]
    public Task<double> Convert(ImperialGallonsToLiters query) => visit.Answer(query.Gallons * 4.54609);

    [Handler]
    public Task<double> Convert(BarrelsToLiters query) => visit.Answer(query.Barrels * 158.987294928);

    [Handler]
    public Task<double> Convert(BushelsToLiters query) => visit.Answer(query.Bushels * 35.23907016688);
}
