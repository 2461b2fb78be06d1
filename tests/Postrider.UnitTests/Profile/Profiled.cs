namespace Postrider.UnitTests.Profile;

/// <summary>Methods of the kinds that a profile names.</summary>
/// <typeparam name="T">Any class or number.</typeparam>
internal class Profiled<T> : IProfiled<T>
{
    private int _calls;

    public Profiled() => _calls = 1;

    public int Calls => _calls;

    public virtual int Count(in T value, List<T[]> others, int[,] table) => value is null ? others.Count : _calls += table.Length;

    public TOther Convert<TOther>(TOther value) => value;

    T IProfiled<T>.Same(T value) => value;

    internal sealed class Inner : Profiled<T>
    {
        public int Twice(Dictionary<string, T> values) => Calls + values.Count;
    }
}
