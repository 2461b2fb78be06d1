namespace Postrider.Samples.Converter;

public sealed partial record PoundsToKilograms(double Pounds) : IQuery<double>;

public sealed partial record OuncesToGrams(double Ounces) : IQuery<double>;

public sealed partial record StonesToKilograms(double Stones) : IQuery<double>;

public sealed partial record GrainsToMilligrams(double Grains) : IQuery<double>;

public sealed partial record ShortTonsToKilograms(double Tons) : IQuery<double>;

public sealed partial record LongTonsToKilograms(double Tons) : IQuery<double>;

public sealed partial record CaratsToGrams(double Carats) : IQuery<double>;

public sealed partial record TroyOuncesToGrams(double Ounces) : IQuery<double>;

public sealed partial record SlugsToKilograms(double Slugs) : IQuery<double>;

public sealed partial record DramsToGrams(double Drams) : IQuery<double>;

/// <summary>One class that handles many messages: it has no state, so there is one instance.</summary>
internal sealed class Masses
    : IRequestHandler<PoundsToKilograms, double>,
      IRequestHandler<OuncesToGrams, double>,
      IRequestHandler<StonesToKilograms, double>,
      IRequestHandler<GrainsToMilligrams, double>,
      IRequestHandler<ShortTonsToKilograms, double>,
      IRequestHandler<LongTonsToKilograms, double>,
      IRequestHandler<CaratsToGrams, double>,
      IRequestHandler<TroyOuncesToGrams, double>,
      IRequestHandler<SlugsToKilograms, double>,
      IRequestHandler<DramsToGrams, double>
{
    public ValueTask<double> Handle(PoundsToKilograms request, CancellationToken ct) => new(request.Pounds * 0.45359237);

    public ValueTask<double> Handle(OuncesToGrams request, CancellationToken ct) => new(request.Ounces * 28.349523125);

    public ValueTask<double> Handle(StonesToKilograms request, CancellationToken ct) => new(request.Stones * 6.35029318);

    public ValueTask<double> Handle(GrainsToMilligrams request, CancellationToken ct) => new(request.Grains * 64.79891);

    public ValueTask<double> Handle(ShortTonsToKilograms request, CancellationToken ct) => new(request.Tons * 907.18474);

    public ValueTask<double> Handle(LongTonsToKilograms request, CancellationToken ct) => new(request.Tons * 1016.0469088);

    public ValueTask<double> Handle(CaratsToGrams request, CancellationToken ct) => new(request.Carats * 0.2);

    public ValueTask<double> Handle(TroyOuncesToGrams request, CancellationToken ct) => new(request.Ounces * 31.1034768);

    public ValueTask<double> Handle(SlugsToKilograms request, CancellationToken ct) => new(request.Slugs * 14.59390294);

    public ValueTask<double> Handle(DramsToGrams request, CancellationToken ct) => new(request.Drams * 1.7718451953125);
}
