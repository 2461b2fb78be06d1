using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Rpc.Hosting.Channels;

/// <summary>The names of the channels that were added to a container, in the order of the calls.</summary>
internal sealed class AddedChannels
{
    /// <summary>The names.</summary>
    internal List<string> Names { get; } = [];

    /// <summary>The list of a container.</summary>
    internal static AddedChannels Of(IServiceCollection services)
    {
        foreach (var service in services)
        {
            if (service.ServiceType == typeof(AddedChannels))
                return (AddedChannels)service.ImplementationInstance!;
        }

        var added = new AddedChannels();
        services.AddSingleton(added);
        return added;
    }
}
