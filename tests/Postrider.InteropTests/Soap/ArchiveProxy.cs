using System.Reflection;

namespace Postrider.InteropTests.Soap;

/// <summary>The archive of one namespace as that of the other: the same operations, called by their names.</summary>
public class ArchiveProxy : DispatchProxy
{
    private IUrnArchive _channel = null!;

    public static IHttpArchive Of(IUrnArchive channel)
    {
        var proxy = Create<IHttpArchive, ArchiveProxy>();
        ((ArchiveProxy)(object)proxy)._channel = channel;
        return proxy;
    }

    /// <summary>WCF's own channel below it.</summary>
    public static object Channel(IHttpArchive archive) => archive is ArchiveProxy proxy ? proxy._channel : archive;

    protected override object? Invoke(MethodInfo? targetMethod, object?[]? args)
        => typeof(IUrnArchive).GetMethod(targetMethod!.Name)!.Invoke(_channel, BindingFlags.DoNotWrapExceptions, null, args, null);
}
