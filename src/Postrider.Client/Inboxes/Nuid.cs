namespace Postrider.Client;

/// <summary>Creates ids that are unique in practice: 12 random and 10 sequential characters of base 62.</summary>
/// <param name="random">The source of the random part and of the steps.</param>
/// <remarks>Thread-safe. Source: nats-io/nuid.</remarks>
public sealed class Nuid(Random random)
{
    /// <summary>The characters of an id.</summary>
    public const int Length = 22;

    private const string Digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private const int PrefixLength = 12;
    private const long MaxSequence = 839_299_365_868_340_224; // 62 to the 10th
    private const int MinStep = 33;
    private const int MaxStep = 333;

    // Guards the prefix, the sequence and the random numbers.
    private readonly Lock _gate = new();
    private readonly char[] _prefix = new char[PrefixLength];
    private long _sequence = MaxSequence;
    private int _step;

    /// <summary>Creates an id.</summary>
    /// <returns>22 letters and digits.</returns>
    public string Next()
    {
        Span<char> id = stackalloc char[Length];
        lock (_gate)
        {
            _sequence += _step;
            if (_sequence >= MaxSequence) Renew();
            _prefix.CopyTo(id);
            var rest = _sequence;
            for (var i = Length - 1; i >= PrefixLength; i--)
            {
                id[i] = Digits[(int)(rest % Digits.Length)];
                rest /= Digits.Length;
            }
        }
        return new string(id);
    }

    private void Renew()
    {
        for (var i = 0; i < PrefixLength; i++) _prefix[i] = Digits[random.Next(Digits.Length)];
        _sequence = random.NextInt64(MaxSequence);
        _step = random.Next(MinStep, MaxStep);
    }
}
