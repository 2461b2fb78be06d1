namespace Postrider.UnitTests.Profile;

/// <summary>A member that is implemented explicitly.</summary>
internal interface IProfiled<T>
{
    T Same(T value);
}
