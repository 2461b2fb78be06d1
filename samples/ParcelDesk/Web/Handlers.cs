namespace Postrider.Samples.ParcelDesk.Web;

/// <summary>Accepts parcels.</summary>
internal sealed class AcceptParcels(ParcelBook book)
{
    [Handler]
    public async ValueTask<Receipt> Accept(AcceptParcel parcel, MessageContext context, CancellationToken ct)
    {
        if (parcel.Kilograms is not (> 0 and <= 30))
            throw new PostriderException(PostriderError.Refused, "A parcel weighs at most 30 kg.");
        var number = book.NextNumber();
        await context.Follow().PublishAsync(new ParcelAccepted(number, parcel.To, parcel.Kilograms), ct);
        return new Receipt(number);
    }
}

/// <summary>The numbers of one request: a scoped service, as a DbContext is.</summary>
internal sealed class ParcelBook
{
    public string NextNumber() => Guid.CreateVersion7().ToString("N");
}
