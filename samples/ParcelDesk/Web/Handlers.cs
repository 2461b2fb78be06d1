using Microsoft.EntityFrameworkCore;
using Postrider;
using Postrider.Middleware;

namespace ParcelDesk.Web;

/// <summary>Accepts parcels.</summary>
internal sealed class AcceptParcels(ParcelBook book)
{
    [Handler]
    public async ValueTask<Receipt> Accept(AcceptParcel parcel, MessageContext context, CancellationToken ct)
    {
        if (parcel.Kilograms is not (> 0 and <= 30))
            throw new InvalidMessageException(typeof(AcceptParcel), [new ValidationError("kilograms", "A parcel weighs at most 30 kg.")]);
        var number = Guid.CreateVersion7().ToString("N");
        book.Parcels.Add(new Parcel { Number = number, To = parcel.To, Kilograms = parcel.Kilograms });
        await book.SaveChangesAsync(ct);
        await context.Follow().PublishAsync(new ParcelAccepted(number, parcel.To, parcel.Kilograms), ct);
        return new Receipt(number);
    }
}

/// <summary>The parcels of the desk: one for each request.</summary>
public sealed class ParcelBook(DbContextOptions<ParcelBook> options) : DbContext(options)
{
    /// <summary>The accepted parcels.</summary>
    public DbSet<Parcel> Parcels => Set<Parcel>();

    /// <inheritdoc/>
    protected override void OnModelCreating(ModelBuilder modelBuilder) => modelBuilder.Entity<Parcel>().HasKey(static parcel => parcel.Number);
}

/// <summary>An accepted parcel.</summary>
public sealed class Parcel
{
    /// <summary>Its number.</summary>
    public required string Number { get; init; }

    /// <summary>Its destination.</summary>
    public required string To { get; init; }

    /// <summary>Its weight.</summary>
    public required double Kilograms { get; init; }
}
